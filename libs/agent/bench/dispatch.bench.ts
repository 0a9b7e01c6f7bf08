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
} from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IsInt, IsString, MaxLength } from 'class-validator';
import { bench, group, run } from 'mitata';
import { Pool } from 'undici';
import {
  InProcessDispatcher,
  type RequestTarget,
  type RouteRequest,
} from '../src/invocation/dispatch';
import { readRouteResponse } from '../src/invocation/route/route-response';

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
const GET: RouteRequest = {
  method: 'GET',
  path: '/orders/7',
  headers: { ...HEADERS, host: 'localhost' },
};
const POST: RouteRequest = {
  method: 'POST',
  path: '/orders',
  headers: { ...HEADERS, host: 'localhost', 'content-type': 'application/json' },
  body: BODY,
};
const CALLER = { remoteAddress: '203.0.113.7', isEncrypted: false };

async function benchAdapter(name: string, adapter: AbstractHttpAdapter): Promise<() => unknown> {
  const app = await NestFactory.create(OrdersModule, adapter, { logger: false });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new Pool(base);
  const dispatcher = new InProcessDispatcher(server as RequestTarget);
  const controller = app.get(OrdersController);

  for (const request of [GET, POST]) {
    const { method, path, body } = request;
    const headers =
      body === undefined ? HEADERS : { ...HEADERS, 'content-type': 'application/json' };
    group(`${name}, ${method === 'GET' ? 'guarded GET' : 'POST of a validated DTO'}`, () => {
      bench('loopback fetch', async () => {
        const response = await fetch(base + path, { method, headers, body: body ?? null });
        return response.json();
      }).baseline(true);
      bench('undici pool', async () => {
        const response = await pool.request({ method, path, headers, body: body ?? null });
        return response.body.json();
      });
      bench('in-process dispatch', async () => {
        const { signal } = new AbortController();
        return readRouteResponse(
          await dispatcher.dispatch(request, CALLER, signal),
          method,
          signal,
        );
      });
      bench('direct method call', () =>
        method === 'GET'
          ? controller.find(7)
          : controller.create(Object.assign(new OrderDto(), JSON.parse(BODY) as OrderDto)),
      );
    });
  }
  return async () => {
    await pool.close();
    await dispatcher.close();
    await app.close();
  };
}

async function main(): Promise<void> {
  const closers = [
    await benchAdapter('Express', new ExpressAdapter()),
    await benchAdapter('Fastify', new FastifyAdapter()),
  ];
  await run();
  for (const close of closers) await close();
}

void main();
