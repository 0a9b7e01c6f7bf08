import { Controller, Get, Inject, ServiceUnavailableException } from '@nestjs/common';
import { SESSION_STORE, type SessionStore } from 'nestjs-agent';

// #region controller
@Controller('ready')
export class ReadinessController {
  constructor(@Inject(SESSION_STORE) private readonly sessions: SessionStore) {}

  @Get()
  async ready(): Promise<{ readonly status: 'ok' }> {
    try {
      await this.sessions.release({ sessionId: 'none', token: 0 }); // a write without effect
      return { status: 'ok' };
    } catch (error) {
      throw new ServiceUnavailableException('The sessions cannot be reached.', { cause: error });
    }
  }
}
// #endregion controller
