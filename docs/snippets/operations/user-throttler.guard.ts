import { Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { RequestOfUser } from '../start/header.guard';

// #region guard
/** Counts users; without it @nestjs/throttler counts addresses. */
@Injectable()
export class UserThrottlerGuard extends ThrottlerGuard {
  protected override getTracker({ user }: RequestOfUser): Promise<string> {
    return Promise.resolve(user.id);
  }
}
// #endregion guard
