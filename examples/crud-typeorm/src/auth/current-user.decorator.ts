import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { User } from './jwt.strategy';

export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ user: User }>().user,
);
