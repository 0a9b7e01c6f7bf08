import type { Logger } from '@nestjs/common';

/**
 * Logs only the stack of an unexpected failure. Loggers print an error's own properties too, and
 * those of HTTP clients hold the headers they sent.
 */
export function logFailure(logger: Logger, error: unknown): void {
  if (error instanceof Error) logger.error(error.message, error.stack);
  else logger.error('Something that is no Error was thrown.');
}
