import type { Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import type { DetachedResponse } from './detached-response';

/**
 * The context of a call for enhancers: a request, and a detached response. Its type is Nest's default,
 * `http`, even without a request, so that guards that check only `http` are not bypassed.
 *
 * @param handler missing where filters alone are asked
 */
export function detachedContext(
  request: unknown,
  response: DetachedResponse,
  host?: Type<unknown>,
  handler?: (...args: never[]) => unknown,
): ExecutionContextHost {
  // `next()` has no effect: nothing follows.
  return new ExecutionContextHost([request, response, () => undefined], host, handler);
}
