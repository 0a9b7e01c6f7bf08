import { STATUS_CODES } from 'node:http';
import {
  type ArgumentsHost,
  type ExceptionFilter,
  HttpException,
  Injectable,
  type Logger,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { filteredError } from '../../invocation';
import { AgentError } from '../../tool';
import { httpExceptionOf, logFailure } from '../errors';
import { isTaken, nodeResponse } from '../wire';

/**
 * Answers guards' errors in a protocol's form. The application's filters are asked about an error that
 * only they have a status for.
 */
@Injectable()
export abstract class ProtocolErrorFilter implements ExceptionFilter {
  /** Where failures are logged; with those of the other endpoints by default. */
  protected readonly logger?: Logger;

  constructor(private readonly config: ApplicationConfig) {}

  catch(thrown: unknown, host: ArgumentsHost): void | Promise<void> {
    const http = host.switchToHttp();
    const request: unknown = http.getRequest();
    const response: unknown = http.getResponse();
    const isKnown = thrown instanceof HttpException || thrown instanceof AgentError;
    if (isKnown || isTaken(response)) return this.tell(thrown, request, response);
    return filteredError(thrown, this.config.getGlobalFilters(), request)
      .then((outcome) => this.tell(withoutInternals(outcome, thrown), request, response))
      .catch((error: unknown) => {
        // Nest ignores a filter's promise, and would leave the request open.
        logFailure(error, this.logger);
        nodeResponse(response).destroy();
      });
  }

  /** Writes the error's answer. */
  protected abstract answer(error: unknown, request: unknown, response: unknown): void;

  private tell(error: unknown, request: unknown, response: unknown): void {
    if (!(error instanceof HttpException)) logFailure(error, this.logger);
    // The answer has begun; an error of an interceptor cannot change it.
    if (!isTaken(response)) this.answer(httpErrorOf(error) ?? error, request, response);
  }
}

/** A filter's server error may name internals of the application, which has logged the error. */
function withoutInternals(outcome: unknown, thrown: unknown): unknown {
  const isServerError = outcome instanceof HttpException && outcome.getStatus() >= 500;
  return isServerError ? httpExceptionOf(thrown) : outcome;
}

/**
 * An error in the shape of `http-errors` as the exception with its status, as NestJS answers one;
 * `undefined` for other errors.
 */
function httpErrorOf(error: unknown): HttpException | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode: status, expose, message } = error as Error & Record<string, unknown>;
  if (typeof status !== 'number' || !(status >= 400 && status < 600)) return undefined;
  const isTold = expose ?? status < 500;
  const text = isTold ? message : (STATUS_CODES[status] ?? 'Error');
  return new HttpException(text, status, { cause: error });
}
