import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from './authenticated-request';
import { Roles } from './roles.decorator';

/** Refuses users without the role that a route requires with `@Roles`. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride(Roles, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (roles === undefined) return true;
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (user !== undefined && roles.includes(user.role)) return true;
    throw new ForbiddenException(`This needs the role ${roles.join(' or ')}.`);
  }
}
