import { HttpException } from '@nestjs/common';
import { InvalidInputError } from '../../run';
import { httpExceptionOf, RequestException } from '../errors/error-status';

/** What stands under `error` in OpenAI's envelope. */
export interface OpenAiErrorBody {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** A failure as OpenAI's clients expect it. */
export interface OpenAiFailure {
  readonly status: number;
  readonly body: OpenAiErrorBody;
  /** The value of a `Retry-After` header, in seconds. */
  readonly retryAfter?: string;
}

/** A request that OpenAI's protocol refuses, in its own words. */
export class OpenAiRequestError extends HttpException {
  constructor(
    message: string,
    readonly param: string | null = null,
    readonly code = 'invalid_request_error',
    status = 400,
  ) {
    super({ statusCode: status, message, code }, status);
  }
}

export function openAiError(error: OpenAiErrorBody): { readonly error: OpenAiErrorBody } {
  return { error };
}

/** Anything thrown, as OpenAI's clients expect it. Only messages meant for callers are passed on. */
export function openAiErrorOf(error: unknown): OpenAiFailure {
  if (error instanceof InvalidInputError && error.field !== undefined) {
    return openAiErrorOf(renamed(error.field, error.message));
  }
  const exception = httpExceptionOf(error);
  const status = exception.getStatus();
  const param = exception instanceof OpenAiRequestError ? exception.param : null;
  const retryAfter = exception instanceof RequestException ? exception.retryAfter : undefined;
  return {
    status,
    body: { message: messageOf(exception), ...kindOf(exception, status), param },
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** What the run refuses, by the name that the field has in OpenAI's protocol. */
function renamed(field: string, message: string): OpenAiRequestError {
  const param = field
    .replace(/^clientTools/, 'tools')
    .replace(/^toolChoice/, 'tool_choice')
    .replace(/\/(\d+)/, '[$1]');
  const words = message.replace(field, param).replaceAll('input_schema', 'function.parameters');
  return new OpenAiRequestError(words, param);
}

function kindOf(exception: HttpException, status: number): { type: string; code: string } {
  if (exception instanceof OpenAiRequestError) {
    return { type: 'invalid_request_error', code: exception.code };
  }
  if (status === 401) return { type: 'invalid_request_error', code: 'invalid_api_key' };
  if (status === 403) return { type: 'invalid_request_error', code: 'permission_denied' };
  if (status === 429) return { type: 'rate_limit_error', code: 'rate_limit_exceeded' };
  if (status >= 500) return { type: 'server_error', code: 'server_error' };
  return { type: 'invalid_request_error', code: 'invalid_request_error' };
}

function messageOf(exception: HttpException): string {
  const response = exception.getResponse();
  if (typeof response === 'string') return response;
  const { message } = response as { message?: unknown };
  if (Array.isArray(message)) return message.map(String).join('; ');
  return typeof message === 'string' ? message : exception.message;
}
