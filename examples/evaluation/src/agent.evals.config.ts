import { NestFactory } from '@nestjs/core';
import type { EvalConfig } from 'nestjs-agent/evals';
import { AppModule } from './app.module';

const config: EvalConfig = {
  app: () => NestFactory.create(AppModule, { logger: ['error'] }),
  prices: { default: { input: 0.4, output: 1.6 } }, // per million tokens
};

export default config;
