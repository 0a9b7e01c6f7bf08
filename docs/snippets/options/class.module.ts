import { Injectable, Module } from '@nestjs/common';
import { AgentModule, type AgentOptions, type AgentOptionsFactory } from 'nestjs-agent';
import { Settings, SettingsModule } from './settings';

// #region class
@Injectable()
export class AgentSettings implements AgentOptionsFactory {
  constructor(private readonly settings: Settings) {}

  createAgentOptions(): AgentOptions {
    return { systemPrompt: `You work at ${this.settings.shop}.` };
  }
}

@Module({
  imports: [AgentModule.forRootAsync({ imports: [SettingsModule], useClass: AgentSettings })],
})
export class ClerkModule {}
// #endregion class
