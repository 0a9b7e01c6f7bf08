import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestOfUser } from '../start/header.guard';

export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<RequestOfUser>().user.id,
);
