import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { AgentHealth, type AgentHealthState } from 'nestjs-agent';

// #region controller
@Controller('ready')
export class HealthController {
  constructor(private readonly health: AgentHealth) {}

  @Get()
  async ready(): Promise<AgentHealthState> {
    const state = await this.health.check();
    if (state.status === 'down') throw new ServiceUnavailableException(state);
    return state;
  }
}
// #endregion controller
