import { HttpException } from '@nestjs/common';
import { InvalidInputError } from '../../run';
import {
  type Failure,
  httpExceptionOf,
  messageOf,
  RequestException,
  retryHeaders,
  shortMessage,
} from '../errors';

/** Codes of conflicts that no repetition resolves. */
const SETTLED: ReadonlySet<string> = new Set(['not_pending', 'already_resolved', 'expired']);

/** The content of `error` in OpenAI's envelope. */
interface OpenAiErrorBody {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** An error as OpenAI's clients expect it. */
interface OpenAiFailure extends Failure {
  readonly body: { readonly error: OpenAiErrorBody };
}

/** A request that OpenAI's protocol rejects, with OpenAI's error fields. */
export class OpenAiRequestError extends HttpException {
  constructor(
    message: string,
    readonly param: string | null = null,
    readonly code = 'invalid_request_error',
    status = 400,
  ) {
    super({ statusCode: status, message: shortMessage(message), code }, status);
  }
}

/**
 * Any thrown error, as OpenAI's clients expect it. Only messages meant for callers are included.
 */
export function openAiFailureOf(error: unknown): OpenAiFailure {
  if (error instanceof InvalidInputError && error.field !== undefined) {
    return openAiFailureOf(renamed(error, error.field));
  }
  const exception = httpExceptionOf(error);
  const status = exception.getStatus();
  const param = exception instanceof OpenAiRequestError ? exception.param : null;
  return {
    status,
    headers: {
      ...retryHeaders(exception),
      ...(isFinal(exception) && { 'x-should-retry': 'false' }),
    },
    body: { error: { message: messageOf(exception, '; '), ...kindOf(exception, status), param } },
  };
}

/** Whether OpenAI's clients should not repeat the request, as they do by default after 409, 429 and 5xx. */
function isFinal(exception: HttpException): boolean {
  const hadEffects = exception instanceof RequestException && exception.hadEffects;
  return hadEffects || SETTLED.has(ownCodeOf(exception));
}

/** A rejected input of the run, with the field's name in OpenAI's protocol. */
function renamed(error: InvalidInputError, field: string): OpenAiRequestError {
  const param = field
    .replace(/^(?:client|frontend)Tools/, 'tools')
    .replace(/^toolChoice/, 'tool_choice')
    .replace(/\/(\d+)/, '[$1]');
  const words = error.message
    .replace(field, param)
    .replaceAll('input_schema', 'function.parameters');
  const code = error.code === 'invalid_input' ? undefined : error.code;
  return new OpenAiRequestError(words, param, code, httpExceptionOf(error).getStatus());
}

function kindOf(exception: HttpException, status: number): { type: string; code: string } {
  if (exception instanceof OpenAiRequestError) {
    return { type: 'invalid_request_error', code: exception.code };
  }
  if (status === 401) return { type: 'invalid_request_error', code: 'invalid_api_key' };
  if (status === 403) return { type: 'invalid_request_error', code: 'permission_denied' };
  if (status === 429) return { type: 'rate_limit_error', code: 'rate_limit_exceeded' };
  if (status >= 500) return { type: 'server_error', code: 'server_error' };
  if (status === 404 || status === 409) {
    return { type: 'invalid_request_error', code: ownCodeOf(exception) };
  }
  return { type: 'invalid_request_error', code: 'invalid_request_error' };
}

/** The library's stable code, where the exception has one. */
function ownCodeOf(exception: HttpException): string {
  const { code } = Object(exception.getResponse()) as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'invalid_request_error';
}
