import { Injectable, Module } from '@nestjs/common';
import { AgentModule, openai, Tool } from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';

@Injectable()
export class ClockTools {
  @Tool({ description: 'Say what day it is', readOnly: true })
  today(): string {
    return 'Monday';
  }
}

// #region module
@Module({
  imports: [AgentModule.forRoot({ model: openai(), telemetry: otel() })],
  providers: [ClockTools],
})
export class AppModule {}
// #endregion module
