import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from 'nestjs-agent';
import type { EvalConfig } from 'nestjs-agent/evals';
import { ScriptedModel } from 'nestjs-agent/testing';

const model = (name: string): ScriptedModel => new ScriptedModel([`I am ${name}.`], { name });

@Module({
  imports: [
    AgentModule.forRoot({
      model: model('medium'),
      models: { small: model('small'), big: model('big') },
    }),
  ],
})
class ModelsModule {}

const config: EvalConfig = {
  app: () => NestFactory.create(ModelsModule, { logger: false }),
  prices: { big: { input: 1_000, output: 1_000 } },
};

export default config;
