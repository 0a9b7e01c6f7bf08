import { Injectable } from '@nestjs/common';
import { SessionService } from 'nestjs-agent';

// #region service
@Injectable()
export class AccountService {
  constructor(private readonly sessions: SessionService) {}

  /** When a user leaves, so do their conversations; runs under way are cancelled. */
  async close(userId: string): Promise<number> {
    return this.sessions.clearAll(userId);
  }
}
// #endregion service
