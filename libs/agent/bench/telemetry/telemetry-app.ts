// The application whose turns the telemetry benches measure.
import 'reflect-metadata';
import type { Server } from 'node:http';
import { type INestApplication, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, memoryStore, Tool, ToolParam } from '../../src';
import { openai } from '../../src/model';
import type { Variant } from './telemetry-variants';

@Injectable()
class MathTools {
  @Tool({ description: 'Add two numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }
}

export interface Started {
  readonly app: INestApplication;
  readonly url: string;
  readonly store: ReturnType<typeof memoryStore>;
}

export async function start({ telemetry }: Variant, baseURL: string): Promise<Started> {
  const store = memoryStore();
  @Module({
    imports: [
      AgentModule.forRoot({
        model: openai({ model: 'wordy', baseURL, apiKey: 'none', api: 'chat' }),
        principal: () => 'alice',
        limits: { runsPerPrincipal: 100 },
        audit: { record: () => undefined },
        sessions: { store },
        ...(telemetry && { telemetry }),
      }),
    ],
    providers: [MathTools],
  })
  class BenchModule {}
  const app = await NestFactory.create(BenchModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  // The clients keep their connections while other variants have their turn.
  (app.getHttpServer() as Server).keepAliveTimeout = 0;
  return { app, url: await app.getUrl(), store };
}
