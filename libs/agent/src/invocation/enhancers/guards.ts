import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  HttpException,
} from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import { AgentError } from '../../tool';

/**
 * Runs the guards, one after the other.
 *
 * @param before is told of each one before it runs
 * @throws ForbiddenException if one refuses, and errors of guards; without a request, the message
 * names that as a possible reason
 */
export async function assertAllowed(
  guards: readonly CanActivate[],
  context: ExecutionContext,
  before?: (guard: CanActivate) => void,
): Promise<void> {
  const hasRequest = context.switchToHttp().getRequest<unknown>() !== undefined;
  for (const guard of guards) {
    before?.(guard);
    let isAllowed: boolean;
    try {
      isAllowed = await settled(guard.canActivate(context));
    } catch (error) {
      // A guard's own message is kept; a TypeError about a missing request is replaced.
      if (hasRequest || error instanceof HttpException || error instanceof AgentError) throw error;
      throw refusedWithoutRequest(guard, error);
    }
    if (isAllowed) continue;
    throw hasRequest ? new ForbiddenException('Forbidden resource') : refusedWithoutRequest(guard);
  }
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
