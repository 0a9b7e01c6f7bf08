import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
} from '@nestjs/common';
import type { RequestOfUser } from '../start/header.guard';

/** Replace this by your own guard. */
@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<RequestOfUser>();
    if (user.id !== 'grace') throw new ForbiddenException('This is for administrators.');
    return true;
  }
}
