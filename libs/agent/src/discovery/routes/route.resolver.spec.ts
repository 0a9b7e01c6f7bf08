import {
  Controller,
  Get,
  type INestApplication,
  Module,
  RequestMethod,
  Sse,
  type Type,
  Version,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import {
  ApplicationConfig,
  HttpAdapterHost,
  MetadataScanner,
  ModulesContainer,
  NestFactory,
  SerializedGraph,
} from '@nestjs/core';
import type { Entrypoint } from '@nestjs/core/inspector/interfaces/entrypoint.interface';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ToolOptions } from '../../tool';
import {
  DerivedController,
  HostController,
  ManyPathsController,
  PlainController,
  RoutesModule,
  VersionedController,
} from '../fixtures/routes';
import { AGENT_ENDPOINT } from '../discovery.constants';
import { type RouteDeclaration, RouteResolver } from './route.resolver';

type Configure = (app: INestApplication) => unknown;

let app: INestApplication | undefined;

afterEach(() => app?.close());

async function start(
  configure: Configure = () => undefined,
  module: Type<unknown> = RoutesModule,
  adapter: 'express' | 'fastify' = 'express',
): Promise<RouteResolver> {
  const options = { logger: false, snapshot: true } as const;
  app =
    adapter === 'express'
      ? await NestFactory.create(module, options)
      : await NestFactory.create(module, new FastifyAdapter(), options);
  configure(app);
  await app.init();
  return new RouteResolver(
    app.get(ApplicationConfig),
    app.get(HttpAdapterHost),
    app.get(ModulesContainer),
  );
}

function declare(host: Type<unknown>, methodName: string, options: ToolOptions = {}) {
  const modules = [...(app?.get(ModulesContainer).values() ?? [])];
  const wrapper = modules.map(({ controllers }) => controllers.get(host)).find(Boolean);
  if (!wrapper) throw new Error(`${host.name} is in no module`);
  return { host, wrapper, methodName, options, source: `${host.name}.${methodName}` };
}

function everyRoute(): readonly RouteDeclaration[] {
  const scanner = new MetadataScanner();
  return [...(app?.get(ModulesContainer).values() ?? [])].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) =>
      scanner
        .getAllMethodNames((metatype as Type<unknown>).prototype as object)
        .map((methodName) => declare(metatype as Type<unknown>, methodName)),
    ),
  );
}

function placesOf(resolver: RouteResolver, route: RouteDeclaration): readonly string[] {
  return [...new Set(resolver.places(route).map(({ path }) => path))].sort();
}

/** What Nest itself registered, by `Controller.method`. */
function registeredPaths(): Readonly<Record<string, readonly string[]>> {
  const entrypoints = app?.get(SerializedGraph).toJSON().entrypoints ?? {};
  const paths: Record<string, string[]> = {};
  for (const entry of Object.values<Entrypoint<unknown>[]>(entrypoints).flat()) {
    if (entry.type !== 'http-endpoint') continue;
    (paths[`${entry.className}.${entry.methodName}`] ??= []).push(
      (entry.metadata as unknown as { readonly path: string }).path,
    );
  }
  return paths;
}

const uri: Configure = (one) => one.enableVersioning({ type: VersioningType.URI });
const versioning =
  (options: VersioningOptions): Configure =>
  (one) =>
    one.enableVersioning(options);

describe('the paths of every route, against the paths that Nest registered', () => {
  const configurations: Readonly<Record<string, Configure>> = {
    'as they are': () => undefined,
    'under a prefix': (one) => one.setGlobalPrefix('api'),
    'under a prefix with slashes and parameters': (one) => one.setGlobalPrefix('/api/:region/'),
    'under a prefix that may be missing': (one) => one.setGlobalPrefix('{/:region}'),
    'versioned by URI': uri,
    'versioned by URI with another prefix': versioning({
      type: VersioningType.URI,
      prefix: 'version-',
    }),
    'versioned by URI with no prefix': versioning({ type: VersioningType.URI, prefix: false }),
    'versioned by URI with a default': versioning({
      type: VersioningType.URI,
      defaultVersion: ['7', '8'],
    }),
    'versioned by header': versioning({ type: VersioningType.HEADER, header: 'X-Version' }),
    'under a prefix, versioned by URI': (one) => {
      one.setGlobalPrefix('api');
      uri(one);
    },
    'under a prefix with exclusions, versioned by URI': (one) => {
      one.setGlobalPrefix('api', {
        exclude: [
          'health',
          'plain/*path',
          'versioned/one',
          { path: 'versions/:id', method: RequestMethod.PUT },
          { path: 'versioned/two', method: RequestMethod.POST },
          { path: 'plain', method: RequestMethod.GET },
          'admin/nested/thing',
        ],
      });
      uri(one);
    },
    'under a prefix with everything excluded': (one) =>
      one.setGlobalPrefix('api', { exclude: ['{*rest}'] }),
  };

  it.each(Object.entries(configurations))('%s', async (_, configure) => {
    const resolver = await start(configure);
    const expected = registeredPaths();
    const found = Object.fromEntries(
      everyRoute().map((route) => [route.source, placesOf(resolver, route)]),
    );
    for (const [source, paths] of Object.entries(expected)) {
      expect({ [source]: found[source] }).toEqual({ [source]: [...paths].sort() });
    }
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
  });
});

it('resolves the paths of all versions as Nest does where one begins like another', async () => {
  @Controller('cats')
  class CatsController {
    @Version(['1', '10', VERSION_NEUTRAL])
    @Get()
    list() {}
  }
  @Module({ controllers: [CatsController] })
  class CatsModule {}
  const resolver = await start((one) => {
    one.setGlobalPrefix('api', { exclude: ['cats'] });
    uri(one);
  }, CatsModule);
  expect(placesOf(resolver, declare(CatsController, 'list'))).toEqual(
    [...(registeredPaths()['CatsController.list'] ?? [])].sort(),
  );
});

describe('a resolved route', () => {
  it('is the first of several paths', async () => {
    const resolver = await start();
    expect(resolver.resolve(declare(ManyPathsController, 'read')).path).toBe('/first/x');
  });

  it('is the first of several versions', async () => {
    const resolver = await start(uri);
    expect(resolver.resolve(declare(VersionedController, 'three')).path).toBe(
      '/v3/versioned/three',
    );
    expect(resolver.resolve(declare(VersionedController, 'neutral')).path).toBe(
      '/versioned/neutral',
    );
  });

  it('may be inherited', async () => {
    const resolver = await start();
    expect(resolver.resolve(declare(DerivedController, 'inherited'))).toMatchObject({
      method: 'GET',
      path: '/derived/inherited/:id',
      pattern: [
        { type: 'text', value: '/derived/inherited/' },
        { type: 'param', name: 'id' },
      ],
    });
  });

  it('takes the method of an @All route from the options', async () => {
    const resolver = await start();
    expect(resolver.resolve(declare(PlainController, 'any', { method: 'put' })).method).toBe('PUT');
    expect(() => resolver.resolve(declare(PlainController, 'any', { method: 'FETCH' }))).toThrow(
      'PlainController.any: "FETCH" is not an HTTP method.',
    );
    expect(() => resolver.resolve(declare(PlainController, 'one', { method: 'POST' }))).toThrow(
      "PlainController.one: @Tool({ method: 'POST' }) contradicts the route, which is GET.",
    );
  });

  it('asks for its version in the header', async () => {
    const resolver = await start(versioning({ type: VersioningType.HEADER, header: 'X-Version' }));
    expect(resolver.resolve(declare(VersionedController, 'two')).headers).toEqual({
      'x-version': '2',
    });
    expect(resolver.resolve(declare(PlainController, 'one')).headers).toEqual({});
  });

  it('asks for its version in the media type', async () => {
    const resolver = await start(versioning({ type: VersioningType.MEDIA_TYPE, key: 'v=' }));
    expect(resolver.resolve(declare(VersionedController, 'two')).headers).toEqual({
      accept: 'application/json;v=2',
    });
  });

  it.each<[string, (request: never) => string | string[], object]>([
    [
      'a header',
      (request: { headers: Record<string, string> }) => request.headers['x-api'] ?? '',
      { headers: { 'x-api': '2' }, query: {} },
    ],
    [
      'a header, decorated',
      (request: { headers: Record<string, string> }) => request.headers['x-api']?.slice(1) ?? '',
      { headers: { 'x-api': 'v2' }, query: {} },
    ],
    [
      'a query parameter',
      (request: { query: Record<string, string> }) => request.query.version ?? '1',
      { headers: {}, query: { version: '2' } },
    ],
    [
      'a vendor’s media type',
      (request: { headers: Record<string, string> }) =>
        (request.headers.accept ?? '')
          .split(',')
          .flatMap((type) => /v(\d+)\+json$/.exec(type)?.[1] ?? []),
      { headers: { accept: 'application/vnd.api.v2+json' }, query: {} },
    ],
    ['nothing', () => ['3', '2', '1'], { headers: {}, query: {} }],
  ])('finds that a custom extractor reads %s', async (_, extractor, expected) => {
    const resolver = await start(
      versioning({ type: VersioningType.CUSTOM, extractor: extractor as never }),
    );
    expect(resolver.resolve(declare(VersionedController, 'two'))).toMatchObject(expected);
  });

  it('is refused where a custom extractor tells nothing', async () => {
    const resolver = await start(
      versioning({ type: VersioningType.CUSTOM, extractor: () => 'unknown' }),
    );
    expect(() => resolver.resolve(declare(VersionedController, 'two'))).toThrow(
      'VersionedController.two: cannot tell how to ask for version "2"',
    );
  });

  it('knows the hosts of its controller', async () => {
    const resolver = await start();
    const { hosts } = resolver.resolve(declare(HostController, 'here'));
    expect(hosts?.matches('acme.example.com')).toBe(true);
    expect(hosts?.matches('evil.example')).toBe(false);
    expect(hosts?.matches('a.b.evil/x.example.com')).toBe(false);
    expect(hosts?.fixed).toEqual([]);
  });

  it('is read in the notation of the adapter', async () => {
    @Controller('files')
    class FilesController {
      @Get('*')
      wild() {}
      @Get('year/:from-:to')
      between() {}
      @Get('maybe/:id?')
      maybe() {}
    }
    @Module({ controllers: [FilesController] })
    class FilesModule {}

    const resolver = await start(() => undefined, FilesModule, 'fastify');
    expect(resolver.resolve(declare(FilesController, 'wild')).pattern).toEqual([
      { type: 'text', value: '/files/' },
      { type: 'wildcard', name: '*' },
    ]);
    expect(resolver.resolve(declare(FilesController, 'between')).pattern).toEqual([
      { type: 'text', value: '/files/year/' },
      { type: 'param', name: 'from' },
      { type: 'text', value: '-' },
      { type: 'param', name: 'to' },
    ]);
    expect(resolver.resolve(declare(FilesController, 'maybe')).pattern).toEqual([
      { type: 'text', value: '/files/maybe' },
      {
        type: 'group',
        tokens: [
          { type: 'text', value: '/' },
          { type: 'param', name: 'id' },
        ],
      },
    ]);
  });
});

describe('methods that are not tools', () => {
  @Controller('odd')
  class OddController {
    @Sse('events')
    events() {}
    noRoute() {}
  }
  @Controller('agent')
  class ChatController {
    @Get('chat')
    chat() {}
  }
  Reflect.defineMetadata(AGENT_ENDPOINT, true, ChatController);
  @Module({ controllers: [OddController, ChatController] })
  class OddModule {}

  it.each([
    [OddController, 'events', 'OddController.events: a server-sent event stream cannot be a tool'],
    [OddController, 'noRoute', 'OddController.noRoute: no route.'],
    [ChatController, 'chat', 'ChatController.chat: an endpoint of the agent itself'],
  ])('%p %s is refused', async (controller, methodName, message) => {
    const resolver = await start(() => undefined, OddModule);
    expect(() => resolver.resolve(declare(controller, methodName))).toThrow(message);
  });
});

it('resolves the version that the method declares before the controller, or the default', async () => {
  @Controller('defaulted')
  class DefaultedController {
    @Get('a')
    a() {}
    @Version('9')
    @Get('b')
    b() {}
  }
  @Module({ controllers: [DefaultedController] })
  class DefaultedModule {}
  const resolver = await start(
    versioning({ type: VersioningType.URI, defaultVersion: '5' }),
    DefaultedModule,
  );
  expect(resolver.resolve(declare(DefaultedController, 'a')).path).toBe('/v5/defaulted/a');
  expect(resolver.resolve(declare(DefaultedController, 'b')).path).toBe('/v9/defaulted/b');
});
