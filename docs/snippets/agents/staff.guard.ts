import { ForbiddenException, Injectable, type ExecutionContext } from '@nestjs/common';
import { HeaderGuard } from '../start/header.guard';

/** Lets in who is on the staff. */
@Injectable()
export class StaffGuard extends HeaderGuard {
  override canActivate(context: ExecutionContext): boolean {
    super.canActivate(context);
    const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
    if (user?.id === 'grace') return true;
    throw new ForbiddenException('Only staff may ask support.');
  }
}
