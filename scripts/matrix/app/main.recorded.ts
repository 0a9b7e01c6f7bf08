import { equal } from 'node:assert/strict';
import { Module, UseGuards, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, type ChatResult } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { ScriptedModel } from 'nestjs-agent/testing';
import { OrdersController } from './orders.controller.js';
import { TokenGuard } from './token.guard.js';

const { DATABASE_URL: connectionString = '', SCHEMA: schema = '' } = process.env;

@Module({
  imports: [
    AgentModule.forRoot({
      model: new ScriptedModel([
        { toolCalls: [{ name: 'get_order', input: { id: 17 } }] },
        'Order 17 is yours.',
        { toolCalls: [{ name: 'place_order', input: { article: 'lamp', quantity: 3 } }] },
      ]),
      decorators: [UseGuards(TokenGuard)],
      sessions: { store: sqlStore({ connectionString, schema }) },
    }),
  ],
  controllers: [OrdersController],
})
class RecordedModule {}

/** Leaves a session in the database: an answer with a call, then a call that waits for approval. */
async function main(): Promise<void> {
  const app = await NestFactory.create(RecordedModule, { logger: ['error', 'fatal'] });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}/agent/chat`;
  const { sessionId, status } = await chat(url, { message: 'where is 17?' });
  equal(status, 'completed');
  const asked = await chat(url, { message: 'order three lamps', sessionId });
  equal(asked.status, 'requires_action');
  await app.close();
}

async function chat(url: string, body: object): Promise<ChatResult> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer alice' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as ChatResult;
}

void main();
