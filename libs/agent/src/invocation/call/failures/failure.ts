import { HttpException } from '@nestjs/common';
import { shortened, withFallback } from '../../../internal';
import type { JsonValue } from '../../../message';
import { AgentError, type ToolFailure } from '../../../tool';
import { ToolTimeoutError } from './call-errors';
import { MAX_MESSAGE_CHARS, saidBy } from './error-body';

/** The failure for exceptions without a message for the model. */
const UNEXPECTED: ToolFailure = {
  code: 'tool_failed',
  message: 'The tool failed with an unexpected error.',
};

/**
 * The failure for the model: messages of the library's errors and of `HttpException`, or a general
 * one. Never a stack, a path or a database driver's text.
 */
export function toolFailureOf(error: unknown): ToolFailure {
  // Reading an exception's properties may throw.
  return withFallback(() => {
    const failure = readFailure(error);
    const { scopes } = error as Partial<ToolFailure>;
    return failure.code === 'forbidden' && Array.isArray(scopes) ? { ...failure, scopes } : failure;
  }, UNEXPECTED);
}

function readFailure(error: unknown): ToolFailure {
  if (error instanceof AgentError) {
    return { code: textOr(UNEXPECTED.code, error.code), message: bounded(error.message) };
  }
  if (error instanceof HttpException) return httpFailure(error);
  return UNEXPECTED;
}

/** The thrown value, or an error in its place if it cannot be inspected. */
export function inspectable(thrown: unknown): unknown {
  try {
    isUnexpected(thrown);
    return thrown;
  } catch {
    return new Error('The thrown value cannot be inspected.');
  }
}

/** Whether the exception has no message for the model and belongs into the log. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof AgentError || error instanceof HttpException);
}

/**
 * Whether a retry may succeed: the tool threw, timed out or answered 5xx. A `ToolError`, refused
 * arguments and 4xx are final.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof ToolTimeoutError) return true;
  if (error instanceof HttpException) return error.getStatus() >= 500;
  return !(error instanceof AgentError) || ('retryable' in error && error.retryable === true);
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
  const words: readonly unknown[] = Array.isArray(message) ? message : [message];
  const isText = words.every((each) => typeof each === 'string');
  if (isText && words.some(Boolean)) return words.join('; ');
  return otherWords(error) || error.message;
}

/**
 * Applications write envelopes of their own; Nest's message is then only the name of the class. Those of
 * a 5xx may hold internals.
 */
function otherWords(error: HttpException): string {
  if (error.getStatus() >= 500) return '';
  try {
    const body = JSON.parse(JSON.stringify(error.getResponse())) as JsonValue;
    return saidBy(body, error.getStatus());
  } catch {
    return '';
  }
}

/** An error's fields may have other types than declared. */
function bounded(message: unknown): string {
  return shortened(textOr(UNEXPECTED.message, message), MAX_MESSAGE_CHARS);
}

function textOr(fallback: string, value: unknown): string {
  return typeof value === 'string' ? value : fallback;
}
