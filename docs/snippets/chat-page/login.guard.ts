import { type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { HeaderGuard } from '../start/header.guard';

/** Answers 401, by which the page knows that a log-in is wanted; `false` would mean 403. */
@Injectable()
export class LoginGuard extends HeaderGuard {
  override canActivate(context: ExecutionContext): boolean {
    if (super.canActivate(context)) return true;
    throw new UnauthorizedException();
  }
}
