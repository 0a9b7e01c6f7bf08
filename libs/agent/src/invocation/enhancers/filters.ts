import {
  type ArgumentsHost,
  type ExceptionFilter,
  HttpException,
  Logger,
  type Type,
} from '@nestjs/common';
import { FILTER_CATCH_EXCEPTIONS } from '@nestjs/common/constants';
import { isObservable, lastValueFrom } from 'rxjs';
import { AgentError } from '../../tool';
import { DetachedResponse } from './detached-response';
import { detachedContext } from './detached-context';

const logger = new Logger('Agent');

/**
 * Runs the application's filters on an exception: the last declared one that catches it, as in
 * Nest. A filter's response becomes the error; its return value becomes the result, as in Nest's
 * other contexts; a filter without either only observes.
 *
 * @param filters in the order of declaration: application, class, method
 * @param before called with the filter that catches the exception
 * @throws the call's error, unless a filter returned a value
 */
export async function recover(
  exception: unknown,
  filters: readonly ExceptionFilter[],
  host: ArgumentsHost,
  response: DetachedResponse,
  before?: (filter: ExceptionFilter) => void,
): Promise<unknown> {
  const filter = filters.findLast((candidate) => takes(candidate, exception));
  if (filter) before?.(filter);
  const returned = filter === undefined ? undefined : await consult(filter, exception, host);
  assertUnanswered(response, exception);
  if (returned === undefined || returned === response) throw exception;
  if (returned instanceof Error) throw returned;
  return returned;
}

/** @throws HttpException for an error that was written to the response */
export function assertUnanswered(response: DetachedResponse, exception?: unknown): void {
  const { answer } = response;
  if (answer === undefined || (answer.status < 400 && exception === undefined)) return;
  const status = answer.status >= 400 ? answer.status : statusOf(exception);
  throw new HttpException(bodyOf(answer.body), status, { cause: exception });
}

/** A filter may throw another error; a broken filter is ignored. */
async function consult(
  filter: ExceptionFilter,
  exception: unknown,
  host: ArgumentsHost,
): Promise<unknown> {
  try {
    return await settled(filter.catch(exception, host));
  } catch (error) {
    if (!(error instanceof TypeError) || error === exception) throw error;
    logger.warn(`${filter.constructor.name} failed on an exception: ${error.message}`);
    return undefined;
  }
}

/**
 * A `ToolError` is a message for the model: catch-all filters are skipped, filters of that class
 * are not.
 */
function takes(filter: ExceptionFilter, exception: unknown): boolean {
  const types = caughtBy(filter);
  if (exception instanceof AgentError) {
    return types.some((type) => exception instanceof type && isAgentError(type));
  }
  return types.length === 0 || types.some((type) => exception instanceof type);
}

function isAgentError(type: Type<unknown>): boolean {
  return type === (AgentError as unknown) || type.prototype instanceof AgentError;
}

function caughtBy(filter: ExceptionFilter): readonly Type<unknown>[] {
  const prototype = Object.getPrototypeOf(filter) as object;
  const types: unknown =
    Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, prototype) ??
    Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, filter.constructor);
  return Array.isArray(types) ? (types as readonly Type<unknown>[]) : [];
}

async function settled(value: unknown): Promise<unknown> {
  const result = await value;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

/** A route's status for an exception. */
export function statusOf(exception: unknown): number {
  return exception instanceof HttpException ? exception.getStatus() : 500;
}

function bodyOf(body: unknown): string | Record<string, unknown> {
  if (typeof body === 'string' && body !== '') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  return 'The application refused the call.';
}

/**
 * A guard's error as the application's filters answer it, for endpoints that word errors in their
 * protocol's form. An error that filters neither answer nor turn into a refusal stays as it is.
 *
 * @param filters those of the application, in the order of declaration
 */
export async function filteredError(
  error: unknown,
  filters: readonly ExceptionFilter[],
  request: unknown,
): Promise<unknown> {
  const response = new DetachedResponse(request);
  // The promise of a filter that has answered may stay pending.
  const answered = new Promise<void>((resolve) => response.once('finish', resolve)).then(() =>
    assertUnanswered(response, error),
  );
  const recovered = recover(error, filters, detachedContext(request, response), response);
  for (const outcome of [answered, recovered]) outcome.catch(() => undefined);
  try {
    await Promise.race([answered, recovered]);
    return error;
  } catch (outcome) {
    const isRefusal = outcome instanceof HttpException && outcome.getStatus() < 500;
    return isRefusal || response.answer !== undefined ? outcome : error;
  } finally {
    response.complete();
  }
}
