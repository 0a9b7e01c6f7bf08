import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { AgentModule, openai, Tool } from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import { stopTelemetry } from './tracing';

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
export class AppModule implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return stopTelemetry(); // after the last runs; needs app.enableShutdownHooks() in main.ts
  }
}
// #endregion module
