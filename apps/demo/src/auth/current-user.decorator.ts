import { createParamDecorator, type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import type { AuthenticatedRequest } from './authenticated-request';
import type { User } from './user';

/** The user whom the JWT guard let in. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): User => {
  const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (user === undefined) throw new UnauthorizedException();
  return user;
});
