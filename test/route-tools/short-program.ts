// A process of its own: makes route calls of every kind, closes its application, and should end.
import 'reflect-metadata';
import { Controller, Get, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentModule, offline, Tool, ToolCallFactory } from 'nestjs-agent';

@Controller('things')
class ThingsController {
  @Tool({ name: 'read', description: 'Reads' })
  @Get(':id')
  read(@Param('id') id: string) {
    return { id };
  }

  @Tool({ name: 'write', description: 'Writes' })
  @Post()
  write() {
    return { done: true };
  }

  @Tool({ name: 'slow', description: 'Never answers', timeoutMs: 50, retry: { maxAttempts: 1 } })
  @Get('slow/one')
  slow() {
    return new Promise(() => undefined);
  }

  @Tool({ name: 'hang', description: 'Never answers, for long' })
  @Post('hang')
  hang() {
    return new Promise(() => process.emit('message', 'hanging', undefined));
  }
}

function moduleOf(dispatch: 'in-process' | { readonly baseUrl: string }) {
  @Module({
    imports: [
      AgentModule.forRoot({ model: offline(), defaultPermission: 'allow', path: false, dispatch }),
    ],
    controllers: [ThingsController],
  })
  class ProgramModule {}
  return ProgramModule;
}

async function main(kind: string): Promise<void> {
  const options = { logger: false } as const;
  const service = await NestFactory.create(moduleOf('in-process'), options);
  if (kind === 'remote') await service.listen(0, '127.0.0.1');
  const { port } = ((service.getHttpServer() as Server).address() ?? { port: 0 }) as AddressInfo;
  const app =
    kind === 'remote'
      ? await NestFactory.create(moduleOf({ baseUrl: `http://127.0.0.1:${port}` }), options)
      : kind === 'fastify'
        ? await NestFactory.create(moduleOf('in-process'), new FastifyAdapter(), options)
        : service;
  await app.init();

  const calls = app.get(ToolCallFactory);
  const statusOf = async (name: string, input = {}) => {
    const { response } = await calls.create(name, input);
    await response.execute();
    return `${name} ${response.error?.code ?? response.status}`;
  };
  const hanging = new Promise((resolve) => process.once('message', resolve));
  const unfinished = statusOf('hang');
  await hanging;
  const finished = [await statusOf('read', { id: '1' }), await statusOf('write')];
  finished.push(await statusOf('slow'));
  await app.close();
  finished.push(await unfinished);
  await service.close();

  // A server's handle is gone one turn after the server says so.
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
  const left = process.getActiveResourcesInfo().filter((name) => !/^(?:Pipe|TTY)Wrap$/.test(name));
  process.stdout.write(JSON.stringify({ finished, left }));
}

void main(process.argv[2] ?? 'express');
