import { NestFactory } from '@nestjs/core';
import type { EvalConfig } from 'nestjs-agent/evals';
import { AppModule } from './app.module';

const config: EvalConfig = {
  app: () => NestFactory.create(AppModule, { logger: ['error'] }),
  callers: {
    ada: { authorization: 'Bearer ada' },
    // Or a function that logs in: it gets the application and its address.
    grace: ({ url }) => ({ authorization: 'Bearer grace', origin: url }),
  },
  prices: { default: { input: 0.4, output: 1.6 } }, // per million tokens
};

export default config;
