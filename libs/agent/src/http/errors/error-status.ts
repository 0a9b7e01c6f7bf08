import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ModelError } from '../../model';
import { InvalidInputError, isStoreAway, ShuttingDownError, STORE_AWAY_FAILURE } from '../../run';
import { AgentError } from '../../tool';

/** The HTTP status of the library's errors, by code; one that is not listed is the server's fault. */
const STATUS: ReadonlyMap<string, number> = new Map([
  ['invalid_arguments', 400],
  ['invalid_tool', 400],
  ['run_not_found', 404],
  ['session_not_found', 404],
  ['tool_not_found', 404],
  ['session_busy', 409],
  ['version_conflict', 409],
  ['not_pending', 409],
  ['already_resolved', 409],
  ['expired', 409],
  ['run_not_replaceable', 409],
  ['too_many_runs', 429],
  ['session_newer', 503],
  ['interrupted', 503],
  ['lease_lost', 503],
  ['shutting_down', 503],
]);

/** An exception of the endpoints, which may say when trying again may help. */
export class RequestException extends HttpException {
  /** The value of a `Retry-After` header, in seconds. */
  readonly retryAfter?: string;

  constructor(
    body: ErrorBody,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(body, body.statusCode, { cause: options.cause });
    if (options.retryAfterMs !== undefined) {
      this.retryAfter = String(Math.max(1, Math.ceil(options.retryAfterMs / 1_000)));
    }
  }
}

/** What the caller hears of what is not for the caller. */
export const UNTOLD = {
  httpStatus: 500,
  code: 'internal_error',
  message: 'The agent failed. The application log says more.',
} as const;

/** What the endpoints answer where they cannot serve: Nest's envelope and a stable code. */
export interface ErrorBody {
  readonly statusCode: number;
  readonly message: string | readonly string[];
  readonly error: string;
  readonly code: string;
}

interface Answer {
  readonly httpStatus: number;
  readonly code: string;
  readonly message: string | readonly string[];
  readonly retryAfterMs?: number;
}

/** The exception of a request that the endpoints refuse or cannot serve. */
export function requestError(
  statusCode: number,
  code: string,
  message: string | readonly string[],
  more: {
    readonly cause?: unknown;
    readonly retryAfterMs?: number;
    readonly body?: Readonly<Record<string, unknown>>;
  } = {},
): RequestException {
  const body: ErrorBody = {
    statusCode,
    message,
    error: STATUS_CODES[statusCode] ?? 'Error',
    code,
  };
  return new RequestException({ ...body, ...more.body }, more);
}

/** What went wrong as an exception that Nest can answer. What is not for the caller, it leaves out. */
export function httpExceptionOf(error: unknown): HttpException {
  if (error instanceof HttpException) return error;
  const { httpStatus, code, message, retryAfterMs } = answerTo(error);
  return requestError(httpStatus, code, message, {
    cause: error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Whether the caller hears less of an error than the log has to say. */
export function isUntold(error: unknown): boolean {
  if (error instanceof HttpException || error instanceof ModelError) return false;
  return !(error instanceof AgentError) || statusOf(error) === undefined;
}

function answerTo(error: unknown): Answer {
  if (error instanceof ModelError) return error;
  if (isStoreAway(error)) return STORE_AWAY_FAILURE;
  if (!(error instanceof AgentError)) return UNTOLD;
  const httpStatus = statusOf(error);
  if (httpStatus === undefined) return { ...UNTOLD, code: error.code };
  const { code } = error;
  const retry = error instanceof ShuttingDownError && { retryAfterMs: error.retryAfterMs };
  return { httpStatus, code, message: messageOf(error), ...retry };
}

/** What callers sent wrongly is 400 whichever way; its code says more. */
function statusOf(error: AgentError): number | undefined {
  return error instanceof InvalidInputError ? 400 : STATUS.get(error.code);
}

function messageOf(error: AgentError & { readonly details?: unknown }): string | readonly string[] {
  const { details } = error;
  return Array.isArray(details) && details.length > 0 ? (details as string[]) : error.message;
}
