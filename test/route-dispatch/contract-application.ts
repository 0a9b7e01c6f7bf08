import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import fastifyCompress from '@fastify/compress';
import compression from 'compression';
import { ClsModule } from 'nestjs-cls';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, Server } from 'node:http';
import {
  type Dispatcher,
  InProcessDispatcher,
  RemoteDispatcher,
} from '../../libs/agent/src/invocation/dispatch';
import { ContractController, requestStore } from './contract.controller';

@Module({
  imports: [
    ClsModule.forRoot({
      middleware: {
        mount: true,
        generateId: true,
        setup: (cls, request: IncomingMessage & { readonly originalUrl?: string }) =>
          cls.set('path', request.originalUrl),
      },
    }),
  ],
  controllers: [ContractController],
})
class ContractModule {}

export type AdapterName = 'express' | 'fastify';
export type TransportName = 'in-process' | 'listening';

export type ContractApplication = NestExpressApplication | NestFastifyApplication;

/** A small application of either adapter, started but not listening. */
export async function startApplication(
  adapter: AdapterName,
  trustProxy = false,
): Promise<ContractApplication> {
  const options = { logger: false, rawBody: true } as const;
  const app =
    adapter === 'express'
      ? await NestFactory.create<NestExpressApplication>(ContractModule, options)
      : await NestFactory.create<NestFastifyApplication>(
          ContractModule,
          new FastifyAdapter({ trustProxy }),
          options,
        );
  if (trustProxy && adapter === 'express') (app as NestExpressApplication).set('trust proxy', true);
  app.use((request: IncomingMessage, _response: unknown, next: () => void) => {
    requestStore.run({ path: request.url ?? '' }, next);
  });
  await compress(app, adapter);
  await app.init();
  if (adapter === 'fastify')
    await (app as NestFastifyApplication).getHttpAdapter().getInstance().ready();
  return app;
}

/** Compresses whatever is asked for compressed, as many applications do. */
async function compress(app: ContractApplication, adapter: AdapterName): Promise<void> {
  if (adapter === 'express') app.use(compression({ threshold: 0 }));
  else await (app as NestFastifyApplication).register(fastifyCompress, { threshold: 0 });
}

/** The dispatcher under test: inside the process, or over a real port as the reference. */
export async function dispatcherTo(
  app: ContractApplication,
  transport: TransportName,
): Promise<Dispatcher> {
  if (transport === 'in-process') {
    return new InProcessDispatcher(app.getHttpServer());
  }
  const server: Server = app.getHttpServer();
  // A pause on a busy machine must not let the server close what the client is about to use again.
  server.keepAliveTimeout = 120_000;
  await app.listen(0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  return new RemoteDispatcher(`http://127.0.0.1:${port}`);
}
