import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, type AgentModuleOptions, openai } from 'nestjs-agent';
import { MAX_STEPS, MODEL, SYSTEM_PROMPT } from '../shop.cjs';

/** The agent with everything else at its default: sessions in memory, and the run's events kept. */
export function agentModule(options: Pick<AgentModuleOptions, 'sessions'> = {}): DynamicModule {
  return AgentModule.forRoot({
    model: openai({ model: MODEL, baseURL: process.env['MODEL_URL'], apiKey: 'none' }),
    systemPrompt: SYSTEM_PROMPT,
    maxSteps: MAX_STEPS,
    ...options,
  });
}

/** Serves an application on Nest's Express adapter; like the other contestants it logs nothing. */
export async function serve(module: Type): Promise<void> {
  const app = await NestFactory.create(module, { logger: false });
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  process.send?.({ port: (server.address() as AddressInfo).port });
}
