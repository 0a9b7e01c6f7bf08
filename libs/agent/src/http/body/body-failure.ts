import type { IncomingMessage } from 'node:http';
import type { HttpException } from '@nestjs/common';

const BODY_FAILURE = Symbol('nestjs-agent:body-failure');

interface FailedRequest extends IncomingMessage {
  [BODY_FAILURE]?: HttpException;
}

/**
 * Keeps the error of an unreadable body until the endpoint reads the body. So guards run first, and
 * each protocol formats the error itself.
 */
export function noteBodyFailure(request: IncomingMessage, failure: HttpException): void {
  (request as FailedRequest)[BODY_FAILURE] = failure;
}

export function bodyFailureOf(request: IncomingMessage): HttpException | undefined {
  return (request as FailedRequest)[BODY_FAILURE];
}
