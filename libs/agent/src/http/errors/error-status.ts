import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ModelError } from '../../model';
import { InvalidInputError } from '../../run';
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
  ['too_many_runs', 429],
  ['interrupted', 503],
  ['lease_lost', 503],
]);

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

/** The exception of a request that the endpoints refuse or cannot serve. */
export function requestError(
  statusCode: number,
  code: string,
  message: string | readonly string[],
  more: { readonly cause?: unknown; readonly body?: Readonly<Record<string, unknown>> } = {},
): HttpException {
  const body: ErrorBody = {
    statusCode,
    message,
    error: STATUS_CODES[statusCode] ?? 'Error',
    code,
  };
  return new HttpException({ ...body, ...more.body }, statusCode, { cause: more.cause });
}

/** What went wrong as an exception that Nest can answer. What is not for the caller, it leaves out. */
export function httpExceptionOf(error: unknown): HttpException {
  if (error instanceof HttpException) return error;
  if (error instanceof ModelError) {
    return requestError(error.httpStatus, error.code, error.message, { cause: error });
  }
  if (!(error instanceof AgentError)) {
    return requestError(UNTOLD.httpStatus, UNTOLD.code, UNTOLD.message, { cause: error });
  }
  const status = statusOf(error);
  const message = status === undefined ? UNTOLD.message : messageOf(error);
  return requestError(status ?? UNTOLD.httpStatus, error.code, message, { cause: error });
}

/** What callers sent wrongly is 400 whichever way; its code says more. */
function statusOf(error: AgentError): number | undefined {
  return error instanceof InvalidInputError ? 400 : STATUS.get(error.code);
}

function messageOf(error: AgentError & { readonly details?: unknown }): string | readonly string[] {
  const { details } = error;
  return Array.isArray(details) && details.length > 0 ? (details as string[]) : error.message;
}
