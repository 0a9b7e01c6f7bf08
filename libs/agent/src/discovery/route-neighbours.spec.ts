import {
  All,
  Controller,
  Get,
  type INestApplication,
  Module,
  Post,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { RouteNeighbours } from './route-neighbours';
import { RouteResolver } from './route.resolver';

@Controller({ path: 'items', version: '1' })
class ItemsController {
  @Get('secret')
  secret() {}

  @Version('2')
  @Get('later')
  later() {}

  @Version(VERSION_NEUTRAL)
  @Get('open')
  open() {}

  @Post('made')
  made() {}

  @All('any')
  any() {}

  @Get('größe')
  size() {}

  @Get(':id')
  find() {}

  @Get('below')
  below() {}
}

@Controller({ path: 'items', version: '1', host: 'other.test' })
class HostedController {
  @Get('hosted')
  hosted() {}
}

@Controller({ path: 'items', version: '1', host: ['local:any', 'x.test'] })
class LocalController {
  @Get('local')
  local() {}
}

@Module({ controllers: [HostedController, LocalController, ItemsController] })
class ItemsModule {}

let app: INestApplication | undefined;

afterEach(() => app?.close());

/** Which values of `id` in `GET /items/:id` lead to other routes. */
async function misleading(adapter: 'express' | 'fastify', type: 'uri' | 'header') {
  app =
    adapter === 'express'
      ? await NestFactory.create(ItemsModule, { logger: false })
      : await NestFactory.create(ItemsModule, new FastifyAdapter(), { logger: false });
  app.enableVersioning(
    type === 'uri'
      ? { type: VersioningType.URI }
      : { type: VersioningType.HEADER, header: 'x-version' },
  );
  await app.init();
  const [adapterHost, modules] = [app.get(HttpAdapterHost), app.get(ModulesContainer)];
  const resolver = new RouteResolver(app.get(ApplicationConfig), adapterHost, modules);
  const host = [...modules.values()].find(({ metatype }) => metatype === ItemsModule);
  const method = { host: ItemsController, wrapper: { ...(host && { host }) }, methodName: 'find' };
  const route = resolver.resolve({ ...method, options: {}, source: 'ItemsController.find' });
  const { takersOf } = new RouteNeighbours(resolver, adapterHost, modules).of(
    method,
    route,
    'localhost',
  );
  const prefix = type === 'uri' ? '/v1/items/' : '/items/';
  const names = ['secret', 'SECRET', 'later', 'open', 'made', 'any', 'hosted', 'local', 'größe'];
  return [...names, 'below', '7'].filter(
    (id) => takersOf(prefix + encodeURIComponent(id)).length > 0,
  );
}

describe('what stands beside a route', () => {
  it('are the routes of its method, version and host, as the router reads paths', async () => {
    expect(await misleading('express', 'header')).toEqual([
      'secret',
      'SECRET',
      'open',
      'any',
      'local',
    ]);
  });

  it('are, on Fastify, those that a path leads to once it is decoded', async () => {
    expect(await misleading('fastify', 'header')).toEqual([
      'secret',
      'open',
      'any',
      'local',
      'größe',
      'below',
    ]);
  });

  it('are, with versions in the URL, those of the same URL', async () => {
    expect(await misleading('express', 'uri')).toEqual(['secret', 'SECRET', 'any', 'local']);
  });
});
