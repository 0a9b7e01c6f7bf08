import { HttpException } from '@nestjs/common';
import { AgentError, RouteResponseError, type ToolFailure } from '../../tool';
import { ToolTimeoutError } from './call-errors';

/** What the model hears of an exception that is nobody's message to it. */
const UNEXPECTED: ToolFailure = {
  code: 'tool_failed',
  message: 'The tool failed with an unexpected error.',
};

const MESSAGE_CHARS = 2_000;

/**
 * What the model may hear of an exception: the message of our own errors and of `HttpException`,
 * else that the tool failed. Never a stack, a path or a driver's text.
 */
export function toolFailureOf(error: unknown): ToolFailure {
  try {
    return readFailure(error);
  } catch {
    // An exception can be made so that reading it throws; its call has to end nevertheless.
    return UNEXPECTED;
  }
}

function readFailure(error: unknown): ToolFailure {
  if (error instanceof AgentError) {
    return { code: textOr(UNEXPECTED.code, error.code), message: bounded(error.message) };
  }
  if (error instanceof HttpException) return httpFailure(error);
  return UNEXPECTED;
}

/** What was thrown; an error in its place where that cannot even be asked what it is. */
export function inspectable(thrown: unknown): unknown {
  try {
    isUnexpected(thrown);
    return thrown;
  } catch {
    return new Error('What was thrown cannot be looked at.');
  }
}

/** Whether nobody meant this exception for the model, so that the log has to tell the developer. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof AgentError || error instanceof HttpException);
}

/**
 * Whether the same call may succeed a little later: the tool threw, ran out of time or answered
 * 5xx. What a tool says on purpose (`ToolError`), refused arguments and 4xx stay as they are.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof ToolTimeoutError) return true;
  if (error instanceof RouteResponseError) return error.retryable;
  if (error instanceof HttpException) return error.getStatus() >= 500;
  return !(error instanceof AgentError);
}

function httpFailure(error: HttpException): ToolFailure {
  const message = bounded(httpMessage(error));
  switch (error.getStatus()) {
    case 401:
      return { code: 'unauthorized', message: `Authentication failed: ${message}` };
    case 403:
      return { code: 'forbidden', message: `Permission denied: ${message}` };
    default:
      return { code: 'http_error', message };
  }
}

/** Nest's pipes put their list of problems into the response, not into the message. */
function httpMessage(error: HttpException): string {
  const response: unknown = error.getResponse();
  if (typeof response === 'string') return response;
  if (typeof response !== 'object' || response === null) return error.message;
  const { message } = response as { readonly message?: unknown };
  if (Array.isArray(message)) return message.map(String).join('; ');
  return typeof message === 'string' && message !== '' ? message : error.message;
}

/** Nobody's compiler need have seen what an error's fields were set to. */
function bounded(message: unknown): string {
  const text = textOr(UNEXPECTED.message, message);
  return text.length <= MESSAGE_CHARS ? text : `${text.slice(0, MESSAGE_CHARS)}…`;
}

function textOr(fallback: string, value: unknown): string {
  return typeof value === 'string' ? value : fallback;
}
