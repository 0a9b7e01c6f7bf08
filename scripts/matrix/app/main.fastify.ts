import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { converse } from './conversation.js';

void NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: ['error', 'fatal'],
}).then(converse);
