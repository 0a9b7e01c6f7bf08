import {
  All,
  Controller,
  Get,
  Headers,
  type INestApplication,
  Param,
  type Type,
  Version,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';
import { type RouteAnswer, routeTable, toolAt } from './route-tools/route-table';

/** Routes in their order, and the one whose tool is called. */
interface Case {
  readonly on?: AdapterName;
  readonly isCaseSensitive?: boolean;
  readonly routes: readonly string[];
  readonly own: string;
  readonly accepted?: readonly Record<string, string>[];
  readonly refused?: readonly Record<string, string>[];
}

const CASES: Readonly<Record<string, Case>> = {
  'a name beside a parameter': {
    routes: ['users/me', 'users/:id'],
    own: 'users/:id',
    accepted: ['7', 'mee', 'm', 'me ', 'users', '%6de', 'm%65'].map((id) => ({ id })),
    refused: [{ id: 'me' }],
  },
  'an equal parameter': {
    routes: ['things/:id', 'users/:id'],
    own: 'users/:id',
    accepted: [{ id: '7' }],
  },
  'an equal parameter after it, on Express': {
    on: 'express',
    routes: ['users/:id', 'users/:name'],
    own: 'users/:id',
    accepted: [{ id: 'ann' }],
  },
  'an equal parameter before it, on Express': {
    on: 'express',
    routes: ['users/:name', 'users/:id'],
    own: 'users/:id',
    refused: [{ id: 'ann' }],
  },
  'a name after it, on Express': {
    on: 'express',
    routes: ['users/:id', 'users/me'],
    own: 'users/:id',
    accepted: [{ id: 'me' }],
  },
  'less certain routes, on Fastify': {
    on: 'fastify',
    routes: [':tenant/settings', ':tenant/*', '*', 'users/:id'],
    own: 'users/:id',
    accepted: [{ id: 'settings' }, { id: '7' }],
  },
  'a longer parameter than Fastify takes': {
    on: 'fastify',
    routes: ['users/*', 'users/:id'],
    own: 'users/:id',
    accepted: [{ id: 'x'.repeat(100) }],
    refused: [{ id: 'x'.repeat(101) }],
  },
  'a parameter beside a wildcard, on Express': {
    on: 'express',
    routes: ['files/:owner', 'files/:owner/secret', 'files/*path'],
    own: 'files/*path',
    accepted: [{ path: 'ann/note' }, { path: 'ann/secret/x' }],
    refused: [{ path: 'ann' }, { path: 'ann/secret' }],
  },
  'a parameter beside a wildcard, on Fastify': {
    on: 'fastify',
    routes: ['files/:owner', 'files/:owner/secret', 'files/*'],
    own: 'files/*',
    accepted: [{ path: 'ann/note' }, { path: 'ann/secret/x' }],
    refused: [{ path: 'ann' }, { path: 'ann/secret' }],
  },
  'patterns of parameters, on Fastify': {
    on: 'fastify',
    routes: ['users/:number(^\\d+$)', 'users/:id'],
    own: 'users/:id',
    accepted: [{ id: 'ann' }, { id: '7a' }],
    refused: [{ id: '7' }],
  },
  'a parameter beside a pattern, on Fastify': {
    on: 'fastify',
    routes: ['users/:name', 'users/:id(^\\d+$)'],
    own: 'users/:id(^\\d+$)',
    accepted: [{ id: '7' }],
    refused: [{ id: 'ann' }, { id: '7a' }],
  },
  'a wildcard that takes line breaks, on Fastify': {
    on: 'fastify',
    routes: ['x/*', ':a/:b'],
    own: ':a/:b',
    accepted: [{ a: 'y', b: '\n' }],
    refused: [
      { a: 'x', b: '\n' },
      { a: 'x', b: '1' },
    ],
  },
  'several parameters in one segment': {
    routes: ['spans/:from-:to', 'spans/:id'],
    own: 'spans/:id',
    accepted: [{ id: '7' }],
    refused: [{ id: 'a-b' }],
  },
  'a name made of two parameters': {
    routes: ['spans/now-then', 'spans/:from-:to'],
    own: 'spans/:from-:to',
    accepted: [{ from: 'now', to: 'later' }],
    refused: [{ from: 'now', to: 'then' }],
  },
  'a name in another case': {
    isCaseSensitive: false,
    routes: ['users/kelvin', 'users/:id'],
    own: 'users/:id',
    accepted: [{ id: 'celsius' }],
    refused: [{ id: 'kelvin' }, { id: 'KELVIN' }],
  },
  'a name in another case, where that makes two': {
    isCaseSensitive: true,
    routes: ['users/kelvin', 'users/:id'],
    own: 'users/:id',
    accepted: [{ id: 'KELVIN' }, { id: '\u212aelvin' }],
    refused: [{ id: 'kelvin' }],
  },
  'a name whose lower case is plain, on Fastify': {
    on: 'fastify',
    isCaseSensitive: false,
    routes: ['users/kelvin', 'users/:id'],
    own: 'users/:id',
    refused: [{ id: '\u212aelvin' }],
  },
  'names that stand encoded in a URL, on Express': {
    on: 'express',
    routes: ['users/a%20b', 'users/c@d', "users/it's", 'users/größe', 'users/:id'],
    own: 'users/:id',
    accepted: ['a%20b', 'c@d', 'größe', 'a+b'].map((id) => ({ id })),
    refused: [{ id: 'a b' }, { id: "it's" }],
  },
  'names that stand encoded in a URL, on Fastify': {
    on: 'fastify',
    routes: ['users/a b', 'users/c@d', 'users/100%', "users/it's", 'users/größe', 'users/:id'],
    own: 'users/:id',
    accepted: ['a%20b', 'c@d', '100%25', '100'].map((id) => ({ id })),
    refused: [{ id: 'a b' }, { id: '100%' }, { id: "it's" }, { id: 'größe' }],
  },
  'two patterns of parameters, on Fastify': {
    on: 'fastify',
    routes: ['users/:a-:b', 'users/:name.json', 'users/:name.min.json'],
    own: 'users/:name.json',
    accepted: [{ name: 'a' }, { name: 'a-b' }],
    refused: [{ name: 'a.min' }],
  },
  'an optional part that is left out, on Express': {
    on: 'express',
    routes: ['users', 'users{/:id}'],
    own: 'users{/:id}',
    accepted: [{ id: '7' }],
    refused: [{}],
  },
  'an optional part that is given, on Express': {
    on: 'express',
    routes: ['users/*path', 'users{/:id}'],
    own: 'users{/:id}',
    accepted: [{}],
    refused: [{ id: '7' }],
  },
};

const ELSEWHERE =
  'The call did not reach its handler, because its path leads to another route. Nothing was run.';

const rows = Object.entries(CASES).flatMap(([name, one]) =>
  (['express', 'fastify'] as const)
    .filter((adapter) => (one.on ?? adapter) === adapter)
    .map((adapter) => [name, adapter, one] as const),
);

describe('a value of a route’s path', () => {
  let tools: RouteToolApplication;

  afterEach(() => tools.close());

  it.each(rows)('beside: %s (%s)', async (_, adapter, one) => {
    const { routes, own, accepted = [], refused = [], isCaseSensitive } = one;
    tools = await RouteToolApplication.start({
      adapter,
      controllers: [routeTable(routes)],
      ...(isCaseSensitive !== undefined && { isCaseSensitive }),
    });
    const name = toolAt(routes.indexOf(own));
    for (const input of accepted) {
      const { route, params } = (await tools.result(name, input)) as RouteAnswer;
      expect({ input, route, values: Object.values(params) }).toEqual({
        input,
        route: own,
        values: Object.values(input),
      });
    }
    for (const input of refused) {
      const { error, result } = await tools.call(name, input);
      expect({ input, result, message: error?.message }).toEqual({
        input,
        result: undefined,
        message: ELSEWHERE,
      });
    }
  });
});

describe('a value of a route’s path', () => {
  let tools: RouteToolApplication;

  afterEach(() => tools.close());

  const start = async (
    controllers: readonly Type<unknown>[],
    configure: (app: INestApplication) => unknown = () => undefined,
    adapter: AdapterName = 'express',
  ) => {
    tools = await RouteToolApplication.start({ adapter, controllers: [...controllers], configure });
  };

  const messageOf = async (name: string, id: string) =>
    (await tools.call(name, { id })).error?.message ?? 'none';

  it('leads to no route of a host that the call goes to', async () => {
    @Controller({ path: 'users', host: [':name.test', 'localhost'] })
    class HereController {
      @Get('here')
      here() {}
    }
    @Controller({ path: 'users', host: 'other.test' })
    class ThereController {
      @Get('there')
      there() {}
    }
    @Controller('users')
    class UsersController {
      @Tool({ name: 'user', description: 'A user' })
      @Get(':id')
      user(@Param('id') id: string) {
        return id;
      }
    }
    @Controller({ path: 'users', host: 'third.test' })
    class ThirdController {
      @Tool({ name: 'third', description: 'A user of another host' })
      @Get('of/:id')
      third(@Param('id') id: string) {
        return id;
      }
    }
    @Controller({ path: 'users/of', host: ['fourth.test', ':any.fifth.test'] })
    class FourthController {
      @Get('there')
      there() {}
    }
    await start([
      HereController,
      ThereController,
      UsersController,
      FourthController,
      ThirdController,
    ]);
    expect(await messageOf('user', 'here')).toBe(ELSEWHERE);
    expect(await tools.result('user', { id: 'there' })).toBe('there');
    expect(await tools.result('third', { id: 'there' })).toBe('there');
  });

  it('leads to no route of a version that serves as another', async () => {
    @Controller({ path: 'users', version: '1' })
    class OldController {
      @Get('me')
      me() {}
    }
    @Controller({ path: 'users', version: VERSION_NEUTRAL })
    class AnyController {
      @All('all')
      all() {}
    }
    @Controller({ path: 'users', version: '2' })
    class NewController {
      @Tool({ name: 'user', description: 'A user' })
      @Get(':id')
      user(@Param('id') id: string) {
        return id;
      }
    }
    @Controller({ path: 'users', version: '3' })
    class NextController {
      @Get('you')
      you() {}
    }
    await start([OldController, AnyController, NextController, NewController], (app) =>
      app.enableVersioning({
        type: VersioningType.CUSTOM,
        extractor: (request) => {
          const wanted = Number((request as { headers: Record<string, string> }).headers['x-api']);
          return ['3', '2', '1'].filter((version) => Number(version) <= wanted);
        },
      }),
    );
    expect(await messageOf('user', 'me')).toBe(ELSEWHERE);
    expect(await messageOf('user', 'all')).toBe(ELSEWHERE);
    expect(await tools.result('user', { id: 'you' })).toBe('you');
  });

  it.each<[AdapterName, VersioningOptions]>([
    ['express', { type: VersioningType.HEADER, header: 'Accept' }],
    ['fastify', { type: VersioningType.HEADER, header: 'Accept' }],
    ['express', { type: VersioningType.MEDIA_TYPE, key: 'v=' }],
    ['fastify', { type: VersioningType.MEDIA_TYPE, key: 'v=' }],
  ])('stands beside no header that chooses a version (%s, %p)', async (adapter, versioning) => {
    @Controller('users')
    class UsersController {
      @Version('2')
      @Get(':id')
      second() {
        return 'version 2';
      }
      @Tool({ name: 'user', description: 'A user' })
      @Version(VERSION_NEUTRAL)
      @Get(':id')
      user(@Param('id') id: string, @Headers('accept') accept?: string) {
        return `${id} ${typeof accept}`;
      }
    }
    await start([UsersController], (app) => app.enableVersioning(versioning), adapter);
    const { error } = await tools.call('user', { id: '7', accept: 'text/plain;v=2' });
    expect(error?.message).toBe('Invalid arguments: /accept: is not a known argument');
  });

  it.each<AdapterName>(['express', 'fastify'])('cannot be left out on %s', async (adapter) => {
    @Controller('users')
    class UsersController {
      @Tool({
        name: 'user',
        description: 'A user',
        input: { type: 'object', properties: { id: { type: 'string' } } },
      })
      @Get(':id')
      user(@Param('id') id: string) {
        return `one ${id}`;
      }
      @Get()
      list() {
        return 'all';
      }
    }
    await start([UsersController], undefined, adapter);
    expect(tools.definition('user').input_schema.required).toEqual(['id']);
    const { error } = await tools.call('user');
    expect(error?.code).toBe('invalid_arguments');
    expect(await tools.result('user', { id: '7' })).toBe('one 7');
  });

  it('is refused where the router would read it as an optional one before it', async () => {
    await start([routeTable(['list{/:page}{/:size}', 'tree{/*path}'])]);
    const [list, tree] = [toolAt(0), toolAt(1)];
    const fitting: readonly JsonObject[] = [{}, { page: '1' }, { page: '1', size: '10' }];
    for (const params of fitting) {
      expect(await tools.result(list, params)).toMatchObject({ params });
    }
    expect((await tools.call(list, { size: '10' })).error).toEqual({
      code: 'invalid_arguments',
      message:
        'Invalid arguments: /size: is read as another part of the path: give those before it, too',
    });
    expect(await tools.result(tree, { path: 'a/b c' })).toMatchObject({
      params: { path: 'a/b c' },
    });
  });

  it('is refused where the router would read it as another’s part', async () => {
    await start([routeTable([':tenant-:id'], 'spans')], undefined, 'fastify');
    const name = toolAt(0);
    expect(await tools.result(name, { tenant: 'acme', id: '7' })).toMatchObject({
      params: { tenant: 'acme', id: '7' },
    });
    expect((await tools.call(name, { tenant: 'acme', id: 'x-7' })).error?.message).toBe(
      'Invalid arguments: /tenant: is read together with the text beside it in the path; /id: is read together with the text beside it in the path',
    );
  });
});
