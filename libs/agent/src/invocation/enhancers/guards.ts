import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  HttpException,
} from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import { AgentError } from '../../tool';

/**
 * Asks the guards, one after the other.
 *
 * @throws ForbiddenException where one refuses, and whatever a guard throws; where there is no
 *   request, the message says that this may be why
 */
export async function assertAllowed(
  guards: readonly CanActivate[],
  context: ExecutionContext,
): Promise<void> {
  const hasRequest = context.switchToHttp().getRequest<unknown>() !== undefined;
  for (const guard of guards) {
    let isAllowed: boolean;
    try {
      isAllowed = await settled(guard.canActivate(context));
    } catch (error) {
      // A guard's own words stand; a TypeError over a missing request says nothing to anybody.
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
    `${guard.constructor.name} did not let this call pass. The call has no HTTP request, which the guard may need: there is nobody logged in where the agent runs outside of HTTP.`,
    { cause },
  );
}
