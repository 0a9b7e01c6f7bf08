import {
  type ArgumentsHost,
  Body,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Header,
  Injectable,
  Logger,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Next,
  Param,
  Post,
  Req,
  Res,
  Scope,
  type Type,
  UseFilters,
  UseGuards,
  UsePipes,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, ExternalContextCreator } from '@nestjs/core';
import { Tool, ToolRegistry } from 'nestjs-agent';
import { request } from 'undici';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

const ELSEWHERE =
  'The call did not reach its handler, because its path leads to another route. Nothing was run.';

/** What ran of the application, in order. */
const ran: string[] = [];

const tool = (name: string) => Tool({ name, description: name, permission: 'allow' });

interface Reply {
  status(code: number): Reply;
  send(body: unknown): unknown;
}

class NotingGuard implements CanActivate {
  canActivate(): boolean {
    ran.push('guard');
    return true;
  }
}

class NotingPipe {
  transform(value: unknown): unknown {
    ran.push('pipe');
    return value;
  }
}

@Catch()
class NotingFilter implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    ran.push('filter');
    host.switchToHttp().getResponse<Reply>().status(500).send('filtered');
  }
}

/** As in an application that grew: a name of the one is a value of the other. */
@UseGuards(NotingGuard)
@UsePipes(NotingPipe)
@UseFilters(NotingFilter)
@Controller('accounts')
class AccountsController {
  @Post('closed')
  close(@Body() body: unknown) {
    ran.push(`close ${JSON.stringify(body)}`);
  }
}

@Injectable({ scope: Scope.REQUEST })
@Controller('accounts')
class LaterController {
  @tool('rename_account')
  @Post(':id')
  rename(@Param('id') id: string, @Body('name') name: string) {
    ran.push(`rename ${id} ${name}`);
  }
}

describe.each<AdapterName>(['express', 'fastify'])('a route call on %s', (adapter) => {
  let tools: RouteToolApplication | undefined;
  let warnings: string[];

  const start = async (
    controllers: readonly Type<unknown>[],
    setup: Partial<Parameters<typeof RouteToolApplication.start>[0]> = {},
  ) => {
    tools = await RouteToolApplication.start({ adapter, controllers: [...controllers], ...setup });
    return tools;
  };

  beforeEach(() => {
    ran.length = 0;
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message) => {
      warnings.push(String(message));
    });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await tools?.close();
    tools = undefined;
  });

  it('runs nothing of a handler that is not its own', async () => {
    const { call } = bound(
      await start([AccountsController, LaterController], {
        providers: [
          { provide: APP_GUARD, useClass: NotingGuard },
          { provide: APP_FILTER, useClass: NotingFilter },
        ],
      }),
    );
    const first = await call('rename_account', { id: 'closed', name: 'ann' });
    expect(first.error).toEqual({ code: 'http_error', message: ELSEWHERE });
    await call('rename_account', { id: 'closed', name: 'ann' });
    expect(ran).toEqual([]);
    expect((await call('rename_account', { id: '7', name: 'ann' })).status).toBe('executed');
    expect(ran).toEqual(['guard', 'rename 7 ann']);
    expect(warnings.filter((warning) => warning.includes('arrived at'))).toEqual([
      'A call of LaterController.rename arrived at AccountsController.close and was stopped before anything ran. (Logged once.)',
    ]);
  });

  it('leaves real requests for the same path alone', async () => {
    const { app } = await start([AccountsController, LaterController]);
    await app.listen(0, '127.0.0.1');
    const { statusCode } = await request(`${await app.getUrl()}/accounts/closed`, {
      method: 'POST',
    });
    expect(statusCode).toBe(201);
    expect(ran).toEqual(['guard', 'pipe', expect.stringContaining('close')]);
  });

  it('leaves what Nest runs without any request alone', async () => {
    @Injectable()
    class Job {
      run() {
        return 'ran';
      }
    }
    const { app } = await start([], { providers: [Job] });
    const job = app.get(Job);
    const run = app.get(ExternalContextCreator).create(job, () => job.run(), 'run');
    await expect(run()).resolves.toBe('ran');
    await expect(run(null)).resolves.toBe('ran');
    await expect(run('text')).resolves.toBe('ran');
  });

  it('of the later of two versions without enableVersioning() is an error that boot foretells', async () => {
    @Controller('prices')
    class PricesController {
      @tool('prices_v1')
      @Version('1')
      @Get(':sku')
      first() {
        return 'first';
      }

      @tool('prices_v2')
      @Version('2')
      @Get(':article')
      second() {
        return 'second';
      }
    }
    // Fastify's router refuses the second one itself.
    if (adapter === 'fastify') return expect(start([PricesController])).rejects.toThrow();
    const { call } = bound(await start([PricesController]));
    expect((await call('prices_v1', { sku: 'a' })).result).toBe('first');
    expect((await call('prices_v2', { article: 'a' })).error?.message).toBe(ELSEWHERE);
    expect(warnings.join('\n')).toContain(
      'No request reaches it: PricesController.first precedes it behind the same method and path (/prices/:article)',
    );
  });

  it('counts one method in several classes and at several paths right', async () => {
    abstract class ListController {
      @Get(['', 'all'])
      list() {
        return this.constructor.name;
      }
    }
    @Controller('cats')
    class CatsController extends ListController {}
    @Controller(['dogs', 'hounds'])
    class DogsController extends ListController {}
    @Controller('dogs')
    class PuppiesController extends ListController {}
    const exposed = (controller: Type<unknown>, name: string) => ({
      controller,
      tools: { list: { name, description: name } },
    });
    const { call } = bound(
      await start(
        adapter === 'express'
          ? [CatsController, DogsController, PuppiesController]
          : [CatsController, DogsController],
        {
          options: {
            exposeControllers: [
              exposed(CatsController, 'cats'),
              exposed(DogsController, 'dogs'),
              ...(adapter === 'express' ? [exposed(PuppiesController, 'puppies')] : []),
            ],
          },
        },
      ),
    );
    expect((await call('cats')).result).toBe('CatsController');
    expect((await call('dogs')).result).toBe('DogsController');
    if (adapter === 'express') expect((await call('puppies')).error?.message).toBe(ELSEWHERE);
  });

  it('reaches handlers that are wrapped, bound or made per request', async () => {
    // Assigned by index, so that the language gives it no name.
    const nameless = (_: object, _key: string, descriptor: PropertyDescriptor) => {
      const original = descriptor.value as (...args: unknown[]) => unknown;
      const wrappers = [(...args: unknown[]) => original(...args)];
      descriptor.value = wrappers[0];
    };
    @Controller('bound')
    class BoundController {
      constructor() {
        this.read = this.read.bind(this);
      }
      @tool('bound')
      @Get()
      read() {
        return 'bound';
      }
    }
    @Controller('nameless')
    class NamelessController {
      @tool('nameless_one')
      @Get('one')
      @nameless
      one() {
        return 'one';
      }
      @tool('nameless_two')
      @Get('two')
      @nameless
      two() {
        return 'two';
      }
    }
    @Controller({ path: 'scoped', scope: Scope.REQUEST })
    class ScopedController {
      @tool('scoped')
      @Get()
      read() {
        return 'scoped';
      }
    }
    const { call } = bound(await start([BoundController, NamelessController, ScopedController]));
    for (const [name, result] of [
      ['bound', 'bound'],
      ['nameless_one', 'one'],
      ['nameless_two', 'two'],
      ['scoped', 'scoped'],
    ] as const) {
      expect((await call(name)).result).toBe(result);
    }
  });

  describe('that a middleware answers', () => {
    @Controller('guarded')
    class GuardedController {
      @tool('guarded')
      @Get(':how')
      read(@Param('how') how: string) {
        ran.push('handler');
        return how;
      }

      @tool('guarded_write')
      @Post(':how')
      write(@Param('how') how: string) {
        ran.push('handler');
        return how;
      }
    }
    @Module({ controllers: [GuardedController] })
    class MiddlewareModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        const answer = (
          req: { readonly originalUrl?: string; readonly url?: string },
          res: { statusCode: number; end(text: string): void },
          next: () => void,
        ) => {
          const how = (req.originalUrl ?? req.url ?? '').split('/').at(-1);
          ran.push('middleware');
          if (how === 'on') return next();
          res.statusCode = Number(how);
          res.end(`from the middleware`);
        };
        consumer.apply(answer).forRoutes(GuardedController);
      }
    }

    it.each([
      ['401', 'unauthorized', /not logged in\. 401 Unauthorized: from the middleware$/],
      ['429', 'http_error', /^429 Too Many Requests: from the middleware$/],
      ['200', 'http_error', /^The call did not reach its handler: middleware answered before it/],
      ['204', 'http_error', /^The call did not reach its handler/],
    ])('with %s is the error that it is', async (how, code, message) => {
      const { call } = bound(await start([], { imports: [MiddlewareModule] }));
      for (const name of ['guarded', 'guarded_write']) {
        ran.length = 0;
        const { error, attempts } = await call(name, { how });
        expect(error?.code).toBe(code);
        expect(error?.message).toMatch(message);
        expect({ attempts, ran }).toEqual({ attempts: 1, ran: ['middleware'] });
      }
    });

    it('not, goes on to its handler', async () => {
      const { call } = bound(await start([], { imports: [MiddlewareModule] }));
      expect((await call('guarded', { how: 'on' })).result).toBe('on');
      expect(ran).toEqual(['middleware', 'handler']);
    });
  });

  it('is checked with all that stands before a path', async () => {
    @Controller('things')
    class ThingsController {
      @Get('own')
      own() {
        return 'own';
      }

      @tool('thing')
      @Get(':id')
      @Header('x-shape', 'thing')
      read(@Param('id') id: string, @Res({ passthrough: true }) _: unknown) {
        return { id };
      }
    }
    const configure = (app: INestApplication) => app.setGlobalPrefix('api/:tenant');
    const { call } = bound(await start([ThingsController], { configure }));
    expect((await call('thing', { tenant: 't', id: '7' })).result).toEqual({ id: '7' });
    expect((await call('thing', { tenant: 't', id: 'own' })).error?.message).toBe(ELSEWHERE);
  });
});

describe('a route call on Express, which has next(),', () => {
  it('does not take an earlier method for its own that looks the same', async () => {
    @Controller('notes')
    class NotesController {
      @Get(':id')
      find(@Param('id') id: string) {
        ran.push(`find ${id}`);
      }

      @Get(':id')
      open(@Param('id') id: string) {
        ran.push(`open ${id}`);
      }
    }
    ran.length = 0;
    const exposeControllers = [
      { controller: NotesController, routes: 'read' as const, tools: { open: {} } },
    ];
    const tools = await RouteToolApplication.start({
      controllers: [NotesController],
      options: { exposeControllers },
    });
    expect((await tools.call('notes_open', { id: '7' })).error?.message).toBe(ELSEWHERE);
    expect((await tools.call('notes_find', { id: '7' })).status).toBe('executed');
    expect(ran).toEqual(['find 7']);
    await tools.close();
  });

  it('may be passed on by its own handler', async () => {
    @Controller('pages')
    class PagesController {
      @tool('page')
      @Get(':name')
      page(@Param('name') name: string, @Next() next: () => void, @Req() { url }: { url: string }) {
        ran.push(`${name} ${url}`);
        next();
      }

      @Get('*rest')
      fallback() {
        return 'fallback';
      }
    }
    ran.length = 0;
    const tools = await RouteToolApplication.start({ controllers: [PagesController] });
    expect(await tools.result('page', { name: 'x' })).toBe('fallback');
    expect(ran).toEqual(['x /pages/x']);
    await tools.close();
  });
});

describe('a route behind an earlier one with a parameter', () => {
  abstract class CountingController {
    @Get('count')
    count() {
      return 'count';
    }

    @Get('count/:of')
    countOf(@Param('of') of: string) {
      return of;
    }
  }
  @Controller('users')
  class UsersController extends CountingController {
    @Get(':id')
    find(@Param('id') id: string) {
      return id;
    }

    @Get('own')
    own() {
      return 'own';
    }

    @Get(':user')
    twin(@Param('user') user: string) {
      return user;
    }
  }
  @Controller('pages')
  class PagesController extends CountingController {
    @Get('*path')
    page(@Param('path') path: unknown) {
      return path;
    }

    @tool('declared_page')
    @Get('declared')
    declared() {
      return 'declared';
    }

    @Post('written')
    write() {
      return 'written';
    }
  }
  @Controller(['posts', '*any'])
  class ManyPathsController {
    @Get()
    list() {
      return 'list';
    }

    @Get('count')
    count() {
      return 'count';
    }
  }
  const started = async (adapter: AdapterName, controllers: readonly Type<unknown>[]) => {
    const warnings: string[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message) => {
      warnings.push(String(message));
    });
    const tools = await RouteToolApplication.start({
      adapter,
      controllers: [...controllers],
      options: {
        exposeControllers: controllers.map((controller) => ({
          controller,
          routes: 'all' as const,
        })),
      },
    });
    jest.restoreAllMocks();
    const names = tools.app
      .get(ToolRegistry)
      .list()
      .map(({ name }) => name);
    return { tools, names: names.sort(), report: warnings.join('\n') };
  };

  it('is left out of exposed controllers on Express, whose first match wins', async () => {
    const { tools, names, report } = await started('express', [UsersController]);
    expect(names).toEqual(['users_count_of', 'users_find']);
    expect(await tools.result('users_count_of', { of: 'all' })).toBe('all');
    const start = 'No request reaches it: UsersController.find precedes it';
    const left = 'Left out of what exposeControllers exposes:';
    const end = 'so every call of it would be an error.';
    expect(report).toContain(
      `UsersController.count\n    - ${left} ${start}, and its path /users/:id takes /users/count too, ${end}`,
    );
    expect(report).toContain(
      `UsersController.own\n    - ${left} ${start}, and its path /users/:id`,
    );
    expect(report).toContain(
      `UsersController.twin\n    - ${left} ${start} behind the same method and path (/users/:user), ${end}`,
    );
    await tools.close();
  });

  it('stays where it was declared as a tool, with a line in the report', async () => {
    const { tools, names, report } = await started('express', [PagesController]);
    expect(names).toEqual(['declared_page', 'pages_page', 'pages_write']);
    expect((await tools.call('declared_page')).error?.message).toBe(ELSEWHERE);
    expect(report).toContain(
      'declared_page (PagesController.declared)\n    - No request reaches it: PagesController.page precedes it, and its path /pages/*path takes /pages/declared too,',
    );
    await tools.close();
  });

  it('counts the paths of a controller in the order of the router', async () => {
    const { tools, report } = await started('express', [ManyPathsController]);
    expect(await tools.result('many_paths_count')).toBe('count');
    expect(report).not.toContain('No request reaches it');
    await tools.close();
  });

  it('is reached on Fastify, which prefers the exact path', async () => {
    @Controller('users')
    class FastController extends CountingController {
      @Get(':id')
      find(@Param('id') id: string) {
        return id;
      }
    }
    const { tools, report } = await started('fastify', [FastController]);
    expect(await tools.result('fast_count')).toBe('count');
    expect(await tools.result('fast_find', { id: '7' })).toBe('7');
    expect(report).not.toContain('No request reaches it');
    await tools.close();
  });

  it('of no version is left behind by Fastify for a version that is asked for', async () => {
    @Controller('prices')
    class VersionsController {
      @Version(VERSION_NEUTRAL)
      @Get()
      any() {
        return 'any';
      }

      @tool('prices_v2')
      @Version('2')
      @Get()
      second() {
        return 'second';
      }
    }
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const tools = await RouteToolApplication.start({
      adapter: 'fastify',
      controllers: [VersionsController],
      configure: (app) =>
        app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' }),
    });
    expect(await tools.result('prices_v2')).toBe('second');
    expect(JSON.stringify(warn.mock.calls)).not.toContain('No request reaches it');
    jest.restoreAllMocks();
    await tools.close();
  });
});

/** Methods that can be taken apart. */
function bound(tools: RouteToolApplication) {
  return { call: (...args: Parameters<typeof tools.call>) => tools.call(...args) };
}
