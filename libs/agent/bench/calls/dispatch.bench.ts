import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
  UseGuards,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import {
  type AbstractHttpAdapter,
  ApplicationConfig,
  HttpAdapterHost,
  ModulesContainer,
  NestFactory,
} from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IsInt, IsString, MaxLength } from 'class-validator';
import { bench, group, run } from 'mitata';
import { Pool } from 'undici';
import { RouteResolver } from '../../src/discovery';
import { InProcessDispatcher, type RouteRequest } from '../../src/invocation/dispatch';
import { readRouteResponse } from '../../src/invocation/route/response/route-response';
import { cpuMicros } from '../support/cpu-time';

class OrderDto {
  @IsString()
  @MaxLength(100)
  customer!: string;

  @IsInt()
  count!: number;
}

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    return request.headers.authorization === 'Bearer token';
  }
}

@Controller('orders')
@UseGuards(TokenGuard)
class OrdersController {
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number) {
    return { id, customer: 'Ada', lines: [{ sku: 'a', count: 2 }] };
  }

  @Post()
  create(@Body() order: OrderDto) {
    return { id: 1, ...order };
  }
}

@Module({ controllers: [OrdersController] })
class OrdersModule {}

const BODY = JSON.stringify({ customer: 'Ada Lovelace', count: 3 });
const HEADERS = { authorization: 'Bearer token', accept: 'application/json' };
const GET = { method: 'GET', path: '/orders/7', body: undefined };
const POST = { method: 'POST', path: '/orders', body: BODY };
const CALLER = { remoteAddress: '203.0.113.7', isEncrypted: false };

type Way = readonly [name: string, call: () => unknown];

interface Measured {
  readonly title: string;
  readonly ways: readonly Way[];
}

/** The ways to call one adapter's two routes, and how to close them. */
async function open(name: string, adapter: AbstractHttpAdapter) {
  const app = await NestFactory.create(OrdersModule, adapter, { logger: false });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new Pool(base);
  const dispatcher = new InProcessDispatcher(server);
  const controller = app.get(OrdersController);

  const measured = [GET, POST].map(({ method, path, body }): Measured => {
    const headers =
      body === undefined ? HEADERS : { ...HEADERS, 'content-type': 'application/json' };
    const request: RouteRequest = {
      method,
      path,
      headers: { ...headers, host: 'localhost' },
      ...(body !== undefined && { body }),
    };
    return {
      title: `${name}, ${method === 'GET' ? 'guarded GET' : 'POST of a validated DTO'}`,
      ways: [
        [
          'loopback fetch',
          async () => (await fetch(base + path, { method, headers, body: body ?? null })).json(),
        ],
        [
          'undici pool',
          async () =>
            (await pool.request({ method, path, headers, body: body ?? null })).body.json(),
        ],
        [
          'in-process dispatch',
          async () => {
            const { signal } = new AbortController();
            const response = await dispatcher.dispatch(request, CALLER, signal);
            return readRouteResponse(response, { method, isReadOnly: true }, signal);
          },
        ],
        [
          'direct method call',
          () =>
            method === 'GET'
              ? controller.find(7)
              : controller.create(Object.assign(new OrderDto(), JSON.parse(BODY) as OrderDto)),
        ],
      ],
    };
  });
  const close = async () => {
    await pool.close();
    await dispatcher.close();
    await app.close();
  };
  return { measured, close };
}

async function printCpu({ title, ways }: Measured): Promise<void> {
  const results: [name: string, micros: number][] = [];
  for (const [name, call] of ways) {
    await cpuMicros(200, call);
    results.push([name, await cpuMicros(600, call)]);
  }
  const fetchMicros = results[0]?.[1] ?? Number.NaN;
  const lines = results.map(
    ([name, micros]) =>
      `  ${name.padEnd(22)} ${micros.toFixed(1).padStart(7)} µs CPU  ${(micros / fetchMicros).toFixed(2).padStart(5)} of the fetch`,
  );
  process.stdout.write(`${[title, ...lines].join('\n')}\n`);
}

/** A controller with a thousand routes, resolved as at boot. */
async function printResolving(): Promise<void> {
  class ThousandController {}
  const prototype = ThousandController.prototype as Record<string, unknown>;
  for (let route = 0; route < 1_000; route += 1) {
    const methodName = `route${route}`;
    prototype[methodName] = () => route;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, methodName);
    if (descriptor) Get(`area/${route}/:id`)(prototype, methodName, descriptor);
  }
  Controller('thousand')(ThousandController);
  Module({ controllers: [ThousandController] })(ThousandModule);
  const app = await NestFactory.create(ThousandModule, { logger: false });
  app.setGlobalPrefix('api', { exclude: ['health', 'area/*rest'] });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  await app.init();
  const modules = app.get(ModulesContainer);
  const host = [...modules.values()].find(({ metatype }) => metatype === ThousandModule);
  const resolver = new RouteResolver(app.get(ApplicationConfig), app.get(HttpAdapterHost), modules);
  const begun = process.cpuUsage();
  for (let route = 0; route < 1_000; route += 1) {
    resolver.resolve({
      host: ThousandController,
      wrapper: { ...(host && { host }) },
      methodName: `route${route}`,
      options: {},
      source: `ThousandController.route${route}`,
    });
  }
  const { user, system } = process.cpuUsage(begun);
  process.stdout.write(
    `resolving 1 000 routes   ${((user + system) / 1_000).toFixed(1)} ms CPU (bound: 50)\n`,
  );
  await app.close();
}

class ThousandModule {}

async function main(): Promise<void> {
  const opened = [
    await open('Express', new ExpressAdapter()),
    await open('Fastify', new FastifyAdapter()),
  ];
  const measured = opened.flatMap((one) => one.measured);
  for (const one of measured) await printCpu(one);
  await printResolving();
  if (!process.argv.includes('--short')) {
    for (const { title, ways } of measured) {
      group(title, () => {
        for (const [name, call] of ways) bench(name, call);
      });
    }
    await run({ colors: false });
  }
  for (const { close } of opened) await close();
}

void main();
