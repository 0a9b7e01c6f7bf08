import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { converse } from './conversation.js';

void NestFactory.create<NestExpressApplication>(AppModule, { logger: ['error', 'fatal'] }).then(
  converse,
);
