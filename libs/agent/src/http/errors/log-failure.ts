import { Logger } from '@nestjs/common';
import { isInternal } from './error-status';

const httpLogger = new Logger('AgentHttp');

/**
 * Logs only the stack of an unexpected failure. Loggers print an error's own properties too, and
 * those of HTTP clients hold the headers they sent.
 */
export function logFailure(error: unknown, logger = httpLogger): void {
  if (error instanceof Error) logger.error(error.message, error.stack);
  else logger.error('Something that is no Error was thrown.');
}

/** Logs an error of which the caller receives less than the log. */
export function logInternal(error: unknown, logger = httpLogger): void {
  if (isInternal(error)) logFailure(error, logger);
}
