import { Controller, Get, Injectable, Module } from '@nestjs/common';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';
import { AgentHealth } from 'nestjs-agent';

// #region indicator
@Injectable()
export class AgentIndicator {
  constructor(
    private readonly health: AgentHealth,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check() {
    const { status, ...parts } = await this.health.check();
    const agent = this.indicators.check('agent');
    return status === 'up' ? agent.up(parts) : agent.down(parts);
  }
}

@Controller('ready')
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly agent: AgentIndicator,
  ) {}

  @Get()
  @HealthCheck()
  ready() {
    return this.checks.check([() => this.agent.check()]);
  }
}
// #endregion indicator

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [AgentIndicator],
})
export class HealthModule {}
