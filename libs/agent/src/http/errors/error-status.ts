import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { defined, shortened } from '../../internal';
import type { AgentEvent } from '../../message';
import { ModelError } from '../../model';
import {
  type ChatResult,
  InvalidInputError,
  isStoreAway,
  QueueFullError,
  QuotaExceededError,
  ShuttingDownError,
  STORE_AWAY_FAILURE,
  INTERNAL_FAILURE,
} from '../../run';
import { TooManyRunsError } from '../../session';
import { AgentError } from '../../tool';

/** The HTTP status of the library's errors, by code; an unlisted code is a server error. */
const STATUS: ReadonlyMap<string, number> = new Map([
  ['invalid_arguments', 400],
  ['invalid_tool', 400],
  ['attachment_too_large', 413],
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
  ['quota_exceeded', 429],
  ['session_newer', 503],
  ['interrupted', 503],
  ['lease_lost', 503],
  ['shutting_down', 503],
  ['queue_full', 503],
  ['queue_timeout', 503],
]);

interface ExceptionOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number;
}

/** An exception of the endpoints, with an optional `Retry-After`. */
export class RequestException extends HttpException {
  /** The value of a `Retry-After` header, in seconds. */
  readonly retryAfter?: string;
  /** Whether the request left something behind, so that repeating it does more than it asked for. */
  hadEffects = false;

  constructor(body: ErrorBody, options: ExceptionOptions = {}) {
    super(body, body.statusCode, { cause: options.cause });
    if (options.retryAfterMs !== undefined) {
      this.retryAfter = String(Math.max(1, Math.ceil(options.retryAfterMs / 1_000)));
    }
  }
}

/** The endpoints' error body: Nest's envelope and a stable code. */
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
  more: ExceptionOptions & { readonly body?: Readonly<Record<string, unknown>> } = {},
): RequestException {
  const body: ErrorBody = {
    statusCode,
    message: typeof message === 'string' ? shortMessage(message) : message.map(shortMessage),
    error: STATUS_CODES[statusCode] ?? 'Error',
    code,
  };
  return new RequestException({ ...body, ...more.body }, more);
}

const MOST_CHARS = 2_000;

/** An error's message; it may quote the client's input. */
export function shortMessage(message: string): string {
  return shortened(message, MOST_CHARS);
}

/** An error as an exception that Nest can answer, without internal details. */
export function httpExceptionOf(error: unknown): HttpException {
  if (error instanceof HttpException) return error;
  const { httpStatus, code, message, retryAfterMs } = answerTo(error);
  return requestError(httpStatus, code, message, {
    cause: error,
    ...defined({ retryAfterMs }),
  });
}

/** The error of a request with lasting effects: a stored run, or effects of a tool. */
export function afterEffects(error: unknown): HttpException {
  const exception = httpExceptionOf(error);
  if (exception instanceof RequestException) exception.hadEffects = true;
  return exception;
}

/**
 * The error response of a failed run: with its status, its ids and `Retry-After`.
 *
 * @param hadEffects whether its events reported effects: see `reportsEffect`
 */
export function runFailed(
  { error, sessionId, runId, toolCalls }: ChatResult,
  hadEffects = false,
): HttpException {
  const { httpStatus, code, message, retryAfterMs } = error ?? INTERNAL_FAILURE;
  const isStored = sessionId !== '';
  const failure = requestError(httpStatus, code, message, {
    ...defined({ retryAfterMs }),
    body: isStored ? { sessionId, runId } : {},
  });
  return isStored || toolCalls.length > 0 || hadEffects ? afterEffects(failure) : failure;
}

/** Whether an event reports an effect that a result's calls omit: of a tool run by the provider. */
export function reportsEffect({ type }: AgentEvent): boolean {
  return type === 'provider.tool';
}

/** Whether the caller receives less of an error than the log. */
export function isInternal(error: unknown): boolean {
  if (error instanceof HttpException || error instanceof ModelError) return false;
  return !(error instanceof AgentError) || statusOf(error) === undefined;
}

function answerTo(error: unknown): Answer {
  if (error instanceof ModelError) return error;
  if (isStoreAway(error)) return STORE_AWAY_FAILURE;
  if (!(error instanceof AgentError)) return INTERNAL_FAILURE;
  const httpStatus = statusOf(error);
  if (httpStatus === undefined) return { ...INTERNAL_FAILURE, code: error.code };
  const { code } = error;
  const isTemporary =
    error instanceof ShuttingDownError ||
    error instanceof QuotaExceededError ||
    error instanceof QueueFullError ||
    error instanceof TooManyRunsError;
  const retry = isTemporary && { retryAfterMs: error.retryAfterMs };
  return { httpStatus, code, message: textsOf(error), ...retry };
}

/** Invalid input is 400, unless its code is listed with another status. */
function statusOf(error: AgentError): number | undefined {
  return STATUS.get(error.code) ?? (error instanceof InvalidInputError ? 400 : undefined);
}

function textsOf(error: AgentError & { readonly details?: unknown }): string | readonly string[] {
  const { details } = error;
  return Array.isArray(details) && details.length > 0 ? (details as string[]) : error.message;
}

/** An exception's message as one text. @param between separates several messages */
export function messageOf(exception: HttpException, between = ' '): string {
  const said = exception.getResponse();
  const { message = said } = Object(said) as { readonly message?: unknown };
  if (Array.isArray(message)) return message.map(String).join(between);
  return typeof message === 'string' ? message : exception.message;
}
