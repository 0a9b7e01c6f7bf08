import type { IncomingMessage } from 'node:http';
import type { HttpException } from '@nestjs/common';

const BODY_FAILURE = Symbol('nestjs-agent:body-failure');

interface FailedRequest extends IncomingMessage {
  [BODY_FAILURE]?: HttpException;
}

/**
 * Remembers why a body could not be read. It is told when the endpoint asks for the body, after the
 * guards: who may not come in learns nothing, and every protocol words its own error.
 */
export function noteBodyFailure(request: IncomingMessage, failure: HttpException): void {
  (request as FailedRequest)[BODY_FAILURE] = failure;
}

export function bodyFailureOf(request: IncomingMessage): HttpException | undefined {
  return (request as FailedRequest)[BODY_FAILURE];
}
