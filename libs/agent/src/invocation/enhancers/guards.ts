import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  HttpException,
} from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import { AgentError } from '../../tool';
import type { DetachedResponse } from './detached-response';

/**
 * Runs the guards, one after the other.
 *
 * @param before called with each guard before it runs
 * @throws ForbiddenException if one refuses, and errors of guards; without a request, the message
 * names that as a possible reason
 */
export async function assertAllowed(
  guards: readonly CanActivate[],
  context: ExecutionContext,
  before?: (guard: CanActivate) => void,
): Promise<void> {
  if (guards.length === 0) return;
  const hasRequest = context.switchToHttp().getRequest<unknown>() !== undefined;
  const answered = refusedByAnswer(context);
  for (const guard of guards) {
    before?.(guard);
    let isAllowed: boolean;
    try {
      isAllowed = await Promise.race([settled(guard.canActivate(context)), answered]);
    } catch (error) {
      // A guard's own message is kept; a TypeError about a missing request is replaced.
      if (hasRequest || error instanceof HttpException || error instanceof AgentError) throw error;
      throw refusedWithoutRequest(guard, error);
    }
    if (isAllowed) continue;
    throw hasRequest ? new ForbiddenException('Forbidden resource') : refusedWithoutRequest(guard);
  }
}

/**
 * Passport's guards answer a log-in's redirect themselves, and never say whether they let the call
 * pass: a response that has ended refuses it.
 */
function refusedByAnswer(context: ExecutionContext): Promise<false> {
  const response = context.switchToHttp().getResponse<DetachedResponse>();
  return new Promise((resolve) => {
    // Later than the guard's own answer, if it has one.
    response.once('finish', () => setImmediate(resolve, false));
  });
}

async function settled(answer: ReturnType<CanActivate['canActivate']>): Promise<boolean> {
  const value = await (answer as unknown);
  return Boolean(isObservable(value) ? await lastValueFrom(value) : value);
}

function refusedWithoutRequest(guard: CanActivate, cause?: unknown): ForbiddenException {
  return new ForbiddenException(
    `${guard.constructor.name} refused this call. The call has no HTTP request, which the guard may need: outside HTTP no user is logged in.`,
    { cause },
  );
}
