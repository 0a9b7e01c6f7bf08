import {
  type INestApplication,
  Controller,
  Get,
  HostParam,
  Module,
  Param,
  Req,
  RequestMethod,
  Sse,
  UploadedFile,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { Tool } from 'nestjs-agent';
import { EMPTY } from 'rxjs';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

interface SeenRequest {
  readonly originalUrl: string;
  readonly url: string;
}

@Controller({ path: ['items', 'goods'], version: '1' })
class ItemsController {
  @Tool({ description: 'Version of the controller' })
  @Get(['one', 'uno'])
  one(@Req() { originalUrl }: SeenRequest) {
    return `1 ${originalUrl}`;
  }

  @Tool({ description: 'Version of the method' })
  @Version(['3', '2'])
  @Get('one')
  oneAgain(@Req() { originalUrl }: SeenRequest) {
    return `3 ${originalUrl}`;
  }

  @Tool({ description: 'No version' })
  @Version(VERSION_NEUTRAL)
  @Get('neutral')
  neutral(@Req() { originalUrl }: SeenRequest) {
    return `neutral ${originalUrl}`;
  }
}

abstract class ReadController {
  @Tool({ description: 'Inherited' })
  @Get('read/:id')
  read(@Param('id') id: string) {
    return `${this.constructor.name} ${id}`;
  }
}

@Controller('cats')
class CatsController extends ReadController {}

@Controller('dogs')
class DogsController extends ReadController {}

@Module({ controllers: [CatsController] })
class CatsModule {}

@Module({ controllers: [DogsController] })
class DogsModule {}

const imports = [
  CatsModule,
  DogsModule,
  RouterModule.register([
    { path: 'zoo', children: [{ path: 'tame', module: CatsModule }, DogsModule] },
  ]),
];

const configurations: readonly [string, (app: INestApplication) => unknown][] = [
  ['no versions', () => undefined],
  [
    'a prefix with exclusions, and versions in the URL',
    (app) => {
      app.setGlobalPrefix('api', {
        exclude: [{ path: 'items/neutral', method: RequestMethod.GET }],
      });
      app.enableVersioning({ type: VersioningType.URI });
    },
  ],
  [
    'versions in a header',
    (app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Api-Version' }),
  ],
  [
    'versions in the media type',
    (app) => app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=' }),
  ],
  [
    'versions by a custom extractor',
    (app) =>
      app.enableVersioning({
        type: VersioningType.CUSTOM,
        extractor: (request) =>
          (request as { headers: Record<string, string> }).headers['x-choice'] ?? '',
      }),
  ],
  [
    'versions in vendor media types, several of which may be accepted',
    (app) =>
      app.enableVersioning({
        type: VersioningType.CUSTOM,
        extractor: (request) =>
          ((request as { headers: Record<string, string> }).headers.accept ?? '')
            .split(',')
            .flatMap((type) => /v(\d+)\+json$/.exec(type.trim())?.[1] ?? [])
            .sort()
            .reverse(),
      }),
  ],
];

describe.each<AdapterName>(['express', 'fastify'])('the URL of a route tool on %s', (adapter) => {
  let tools: RouteToolApplication;

  afterEach(() => tools.close());

  it.each(configurations)('is the real one with %s', async (name, configure) => {
    const isVersioned = name !== 'no versions';
    tools = await RouteToolApplication.start({
      adapter,
      imports,
      // Without versions the second method's path is the first one's.
      controllers: isVersioned ? [ItemsController] : [],
      configure,
      options: { scan: { exclude: isVersioned ? [] : [ItemsController] } },
    });
    expect(await tools.result('cats_read', { id: '1' })).toBe('CatsController 1');
    expect(await tools.result('dogs_read', { id: '2' })).toBe('DogsController 2');
    if (!isVersioned) return;
    const inUrl = name.includes('URL');
    expect(await tools.result('items_one')).toBe(inUrl ? '1 /api/v1/items/one' : '1 /items/one');
    expect(await tools.result('items_one_again')).toBe(
      inUrl ? '3 /api/v3/items/one' : '3 /items/one',
    );
    expect(await tools.result('items_neutral')).toBe('neutral /items/neutral');
  });
});

describe('hosts of controllers', () => {
  @Controller({ path: 'tenant', host: ':tenant.example.com' })
  class TenantController {
    @Tool({ name: 'tenant', description: 'Who the tenant is' })
    @Get()
    who(@HostParam('tenant') tenant: string) {
      return `tenant ${tenant}`;
    }
  }

  @Controller({ path: 'admin', host: ['admin.example.com', ':any.internal'] })
  class AdminController {
    @Tool({ name: 'admin', description: 'The admin host' })
    @Get()
    who(@Req() request: { readonly hostname: string }) {
      return request.hostname;
    }
  }

  let tools: RouteToolApplication;

  beforeAll(async () => {
    tools = await RouteToolApplication.start({ controllers: [TenantController, AdminController] });
  });

  afterAll(() => tools.close());

  const from = (hostname: string) => ({ hostname, headers: { host: hostname } });

  it('see the caller’s host where it matches', async () => {
    expect(await tools.result('tenant', {}, from('acme.example.com'))).toBe('tenant acme');
    expect(await tools.result('admin', {}, from('x.internal'))).toBe('x.internal');
  });

  it('are otherwise refused, or served at a host without parameters', async () => {
    for (const hostname of ['evil.test', 'a.b.example.com.evil.test', 'x/y.example.com', 'a b']) {
      expect((await tools.call('tenant', {}, from(hostname))).error?.message).toContain(
        ':tenant.example.com',
      );
      expect(await tools.result('admin', {}, from(hostname))).toBe('admin.example.com');
    }
    expect((await tools.call('tenant')).status).toBe('failed');
  });
});

describe('optional and wildcard segments', () => {
  @Controller('files')
  class ExpressFilesController {
    @Tool({ name: 'wild', description: 'A wildcard' })
    @Get('wild/*path')
    wild(@Param('path') path: string | string[]) {
      return [path].flat().join('|');
    }

    @Tool({ name: 'old_wild', description: 'A wildcard in the older notation' })
    @Get('old/*')
    oldWild(@Param('path') path: string | string[]) {
      return [path].flat().join('|');
    }

    @Tool({ name: 'optional', description: 'An optional segment' })
    @Get('optional{/:id}')
    optional(@Param('id') id?: string) {
      return `id ${id ?? 'none'}`;
    }

    @Tool({ name: 'pair', description: 'Two in one segment' })
    @Get('pair/:from-:to')
    pair(@Param('from') from: string, @Param('to') to: string) {
      return [from, to];
    }

    @Tool({ name: 'suffix', description: 'Text after a parameter' })
    @Get('suffix/:name.json')
    suffix(@Param('name') name: string) {
      return `name ${name}`;
    }
  }

  @Controller('files')
  class FastifyFilesController {
    @Tool({ name: 'wild', description: 'A wildcard' })
    @Get('wild/*')
    wild(@Param('*') path: string) {
      return path.split('/').join('|');
    }

    @Tool({ name: 'optional', description: 'An optional segment' })
    @Get('optional/:id?')
    optional(@Param('id') id?: string) {
      return `id ${id || 'none'}`;
    }

    @Tool({ name: 'pair', description: 'Two in one segment' })
    @Get('pair/:from-:to')
    pair(@Param('from') from: string, @Param('to') to: string) {
      return [from, to];
    }

    @Tool({ name: 'numbered', description: 'A parameter with a pattern' })
    @Get('numbered/:id(^\\d+)')
    numbered(@Param('id') id: string) {
      return `number ${id}`;
    }
  }

  let tools: RouteToolApplication;

  afterEach(() => tools.close());

  it.each<[AdapterName, typeof ExpressFilesController | typeof FastifyFilesController]>([
    ['express', ExpressFilesController],
    ['fastify', FastifyFilesController],
  ])('are filled on %s', async (adapter, controller) => {
    tools = await RouteToolApplication.start({ adapter, controllers: [controller] });
    const { properties, required } = tools.definition('wild').input_schema;
    expect(properties?.path).toMatchObject({ type: 'string' });
    expect(required).toEqual(['path']);
    expect(await tools.result('wild', { path: 'a/b c/d?' })).toBe('a|b c|d?');
    expect(tools.definition('optional').input_schema.required).toBeUndefined();
    expect(await tools.result('optional')).toBe('id none');
    expect(await tools.result('optional', { id: '7' })).toBe('id 7');
    expect(await tools.result('pair', { from: 'a', to: 'b' })).toEqual(['a', 'b']);
    for (const path of ['/a', 'a/', 'a//b', '..', 'a/../b', './a', '']) {
      expect((await tools.call('wild', { path })).error?.code).toBe('invalid_arguments');
    }
  });

  it('keep values apart that share a segment', async () => {
    tools = await RouteToolApplication.start({ controllers: [ExpressFilesController] });
    expect(await tools.result('pair', { from: 'a-b', to: 'c-d' })).toEqual(['a-b', 'c-d']);
    expect(await tools.result('suffix', { name: 'x.y' })).toBe('name x.y');
    expect(await tools.result('old_wild', { path: 'a/b' })).toBe('a|b');
  });

  it('take parameters with a pattern on Fastify', async () => {
    tools = await RouteToolApplication.start({
      adapter: 'fastify',
      controllers: [FastifyFilesController],
    });
    expect(await tools.result('numbered', { id: '12' })).toBe('number 12');
    expect((await tools.call('numbered', { id: 'x' })).error?.message).toContain('404');
  });
});

describe('a boot', () => {
  @Controller('streams')
  class StreamController {
    @Tool({ description: 'Events' })
    @Sse('events')
    events() {
      return EMPTY;
    }
  }

  @Controller('uploads')
  class UploadController {
    @Tool({ description: 'Takes a file' })
    @Get()
    upload(@UploadedFile() file: unknown) {
      return typeof file;
    }
  }

  it('is stopped by what cannot be a tool, saying what to do instead', async () => {
    const start = RouteToolApplication.start({ controllers: [StreamController, UploadController] });
    await expect(start).rejects.toThrow(/StreamController\.events: .*Write a provider tool/);
    await expect(start).rejects.toThrow(/UploadController\.upload: .*Write a provider tool/);
  });
});
