import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, Tool } from 'nestjs-agent';
import type { EvalConfig } from 'nestjs-agent/evals';
import { ScriptedModel } from 'nestjs-agent/testing';

@Controller('orders')
class OrdersController {
  @Tool({ name: 'list_orders', description: 'List the orders' })
  @Get()
  list(): readonly number[] {
    return [17];
  }
}

/** A model whose words and arguments control a terminal and end elements of XML. */
const model = new ScriptedModel([
  {
    toolCalls: [{ name: 'list_orders', input: { of: '\u001b[2J]]></failure>\u0007\u202e&' } }],
  },
  'Done.\u001b]0;owned\u0007\n✓ all passed',
]);

@Module({ imports: [AgentModule.forRoot({ model })], controllers: [OrdersController] })
class HostileModule {}

const config: EvalConfig = {
  app: () => NestFactory.create(HostileModule, { logger: false }),
  prices: { default: { input: 100, output: 200 } },
};

export default config;
