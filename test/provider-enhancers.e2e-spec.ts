import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type ArgumentMetadata,
  type ArgumentsHost,
  BadRequestException,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  NotFoundException,
  type PipeTransform,
  SetMetadata,
  type Type,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector } from '@nestjs/core';
import { concat, map, Observable, of, tap, throwError } from 'rxjs';
import { Tool, ToolError, ToolParam } from 'nestjs-agent';
import { ToolApplication, valuesOf } from './support/tool-application';

const log: string[] = [];

/** One enhancer of every kind that says that it ran, under one name. */
function tracing(name: string) {
  @Injectable()
  class TracingGuard implements CanActivate {
    canActivate(): Promise<boolean> {
      log.push(`${name} guard`);
      return Promise.resolve(true);
    }
  }
  @Injectable()
  class TracingInterceptor implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
      log.push(`${name} before`);
      return next.handle().pipe(tap({ complete: () => void log.push(`${name} after`) }));
    }
  }
  @Injectable()
  class TracingPipe implements PipeTransform {
    transform(value: unknown, metadata: ArgumentMetadata): unknown {
      log.push(`${name} pipe ${String(metadata.data)}`);
      return value;
    }
  }
  @Catch()
  class TracingFilter implements ExceptionFilter {
    catch(exception: unknown): never {
      log.push(`${name} filter`);
      throw exception;
    }
  }
  return { TracingGuard, TracingInterceptor, TracingPipe, TracingFilter };
}

const globally = tracing('global');
const ofModule = tracing('app');
const onClass = tracing('class');
const onMethod = tracing('method');
const onParameter = tracing('parameter');

@UseGuards(onClass.TracingGuard)
@UseInterceptors(onClass.TracingInterceptor)
@UsePipes(onClass.TracingPipe)
@UseFilters(onClass.TracingFilter)
@Injectable()
class TracedTools {
  @UseGuards(onMethod.TracingGuard)
  @UseInterceptors(onMethod.TracingInterceptor)
  @UsePipes(onMethod.TracingPipe)
  @UseFilters(onMethod.TracingFilter)
  @Tool({ description: 'Echo' })
  echo(@ToolParam('text', onParameter.TracingPipe) text: string): string {
    log.push(`called with ${text}`);
    if (text === 'fail') throw new Error('failed');
    return text;
  }
}

const EXPECTED = [
  'app guard',
  'global guard',
  'class guard',
  'method guard',
  'app before',
  'global before',
  'class before',
  'method before',
  'app pipe text',
  'global pipe text',
  'class pipe text',
  'method pipe text',
  'parameter pipe text',
  'called with hello',
  'method after',
  'class after',
  'global after',
  'app after',
];

describe('the enhancers of a provider tool', () => {
  let tools: ToolApplication | undefined;
  beforeEach(() => void log.splice(0));
  afterEach(() => tools?.close());

  const providers = [
    { provide: APP_GUARD, useClass: ofModule.TracingGuard },
    { provide: APP_INTERCEPTOR, useClass: ofModule.TracingInterceptor },
    { provide: APP_PIPE, useClass: ofModule.TracingPipe },
    { provide: APP_FILTER, useClass: ofModule.TracingFilter },
  ];
  const boot = (tool: object) =>
    ToolApplication.boot({ providers: [...providers, tool as Type<unknown>] }, {}, (app) => {
      app.useGlobalGuards(new globally.TracingGuard());
      app.useGlobalInterceptors(new globally.TracingInterceptor());
      app.useGlobalPipes(new globally.TracingPipe());
      app.useGlobalFilters(new globally.TracingFilter());
    });

  // Nest 11.2 knows the enhancers of useClass, older ones do not, and none knows the other two.
  it.each<[string, object]>([
    ['a class', TracedTools],
    ['a class under another token', { provide: 'TOOLS', useClass: TracedTools }],
    ['a value', { provide: 'TOOLS', useValue: new TracedTools() }],
    ['a factory', { provide: 'TOOLS', useFactory: () => new TracedTools() }],
  ])('run in Nest’s order around the tool of %s', async (_what, provider) => {
    tools = await boot(provider);
    expect(await tools.call('echo', { text: 'hello' }, { request: {} })).toBe('hello');
    expect(log).toEqual(EXPECTED);
  });

  it('leave an exception to one filter, the one nearest to the method', async () => {
    tools = await boot(TracedTools);
    await expect(tools.call('echo', { text: 'fail' }, { request: {} })).rejects.toThrow('failed');
    expect(log.filter((entry) => entry.endsWith('filter'))).toEqual(['method filter']);
  });

  it('run for an instance that was registered at run time', async () => {
    tools = await boot(tracing('unused').TracingGuard);
    tools.registry.registerToolkit(new TracedTools());
    expect(await tools.call('echo', { text: 'hello' }, { request: {} })).toBe('hello');
    expect(log).toEqual(EXPECTED);
  });
});

interface FakeRequest {
  readonly headers: Readonly<Record<string, string>>;
  user?: { readonly id: string; readonly roles: readonly string[] };
}

@Injectable()
class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FakeRequest>();
    const token = request.headers['authorization'];
    if (token === undefined) throw new UnauthorizedException('Log in first');
    request.user = { id: token, roles: token === 'bob' ? ['admin'] : [] };
    return true;
  }
}

const Roles = (...roles: string[]) => SetMetadata('roles', roles);

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): Observable<boolean> {
    const roles = this.reflector.getAllAndOverride<string[]>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    const { user } = context.switchToHttp().getRequest<FakeRequest>();
    return of(roles.every((role) => user?.roles.includes(role)));
  }
}

@UseGuards(AuthGuard, RolesGuard)
@Roles()
@Injectable()
class GuardedTools {
  calls = 0;

  @Tool({ description: 'Read' })
  read(): string {
    this.calls++;
    return 'read';
  }

  @Roles('admin')
  @Tool({ description: 'Remove' })
  remove(): string {
    this.calls++;
    return 'removed';
  }
}

describe('guards', () => {
  let tools: ToolApplication;
  beforeAll(async () => {
    tools = await ToolApplication.boot({ providers: [GuardedTools] });
  });
  afterAll(() => tools.close());
  const as = (authorization: string) => ({ request: { headers: { authorization } } });

  it('see the chat request, the handler’s and the class’s metadata', async () => {
    expect(await tools.call('read', {}, as('alice'))).toBe('read');
    expect(await tools.call('remove', {}, as('bob'))).toBe('removed');
    await expect(tools.call('remove', {}, as('alice'))).rejects.toMatchObject({ status: 403 });
    await expect(tools.call('read', {}, { request: { headers: {} } })).rejects.toThrow(
      new UnauthorizedException('Log in first'),
    );
  });

  it('keep the method from being called, and answer authorize() alike', async () => {
    const instance = tools.app.get(GuardedTools);
    const before = instance.calls;
    await expect(tools.authorize('remove', as('alice'))).rejects.toMatchObject({ status: 403 });
    await expect(tools.authorize('remove', as('bob'))).resolves.toBeUndefined();
    expect(instance.calls).toBe(before);
  });

  it('that take until nobody waits any more start nothing', async () => {
    const controller = new AbortController();
    const opened = jest.fn();
    @Injectable()
    class LeavingGuard implements CanActivate {
      canActivate(): Promise<boolean> {
        controller.abort();
        return Promise.resolve(true);
      }
    }
    @Injectable()
    class DoorTools {
      @UseGuards(LeavingGuard)
      @Tool({ description: 'Opens the door' })
      open_door() {
        opened();
      }
    }
    const doors = await ToolApplication.boot({ providers: [DoorTools] });
    await expect(
      doors.call('open_door', {}, { request: {}, signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'interrupted' });
    expect(opened).not.toHaveBeenCalled();
    await doors.close();
  });

  it('fail closed without a request, saying why', async () => {
    const call = tools.call('read');
    await expect(call).rejects.toThrow(/AuthGuard refused this call.*no HTTP request/);
    await expect(call).rejects.toMatchObject({ status: 403 });
  });
});

const storage = new AsyncLocalStorage<string>();

@Injectable()
class StorageInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return storage.run('inside', () => next.handle());
  }
}

@Injectable()
class UpperCaseInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value) => String(value).toUpperCase()));
  }
}

@Injectable()
class CachedInterceptor implements NestInterceptor {
  async intercept(): Promise<Observable<unknown>> {
    return of('from the cache');
  }
}

@Injectable()
class InterceptedTools {
  calls = 0;

  @UseInterceptors(StorageInterceptor)
  @Tool({ description: 'What the storage holds' })
  async stored(): Promise<unknown> {
    await Promise.resolve();
    return storage.getStore();
  }

  @UseInterceptors(UpperCaseInterceptor)
  @Tool({ description: 'A stream' })
  stream(): Observable<string> {
    return of('a', 'b', 'c');
  }

  @UseInterceptors(UpperCaseInterceptor)
  @Tool({ description: 'A generator' })
  async *generated(): AsyncGenerator<string, string> {
    yield 'a';
    yield 'b';
    return 'c';
  }

  end: 'exhausted' | 'closed' | undefined;

  @Tool({ description: 'A generator that goes on' })
  async *endless(): AsyncGenerator<number> {
    let end: typeof this.end = 'closed';
    try {
      // Ends by itself, should nobody stop it: a test that fails is better than one that hangs.
      for (let count = 0; count < 2_000_000; count += 1) yield count;
      end = 'exhausted';
    } finally {
      this.end = end;
    }
  }

  @UseInterceptors(UpperCaseInterceptor)
  @Tool({ description: 'A generator that goes on, inside an interceptor' })
  endlessInside(): AsyncGenerator<number> {
    return this.endless();
  }

  @Tool({ description: 'An empty stream' })
  empty(): Observable<never> {
    return of();
  }

  @UseInterceptors(UpperCaseInterceptor)
  @Tool({ description: 'An empty stream inside an interceptor' })
  emptyInside(): Observable<never> {
    return of();
  }

  @UseInterceptors(CachedInterceptor)
  @Tool({ description: 'Never called' })
  cached(): string {
    this.calls++;
    return 'called';
  }

  @Tool({ description: 'An array is one value' })
  list(): number[] {
    return [1, 2];
  }
}

describe('interceptors', () => {
  let tools: ToolApplication;
  beforeAll(async () => {
    tools = await ToolApplication.boot({ providers: [InterceptedTools] });
  });
  afterAll(() => tools.close());

  it('reach the method through AsyncLocalStorage', async () => {
    expect(await tools.call('stored')).toBe('inside');
  });

  it('see every value of a stream, and of a generator its result too', async () => {
    const streamed = await tools.outcome('stream');
    expect(await valuesOf(streamed as Observable<unknown>)).toEqual(['A', 'B', 'C']);
    const generated = await tools.outcome('generated');
    expect(await valuesOf(generated as Observable<unknown>)).toEqual(['A', 'B', 'C']);
  });

  it.each(['endless', 'endlessInside'])('let others have a turn beside %s values', async (name) => {
    tools.app.get(InterceptedTools).end = undefined;
    const stream = (await tools.outcome(name)) as Observable<unknown>;
    const subscription = stream.subscribe();
    await turn();
    subscription.unsubscribe();
    await turn();
    expect(tools.app.get(InterceptedTools).end).toBe('closed');
  });

  it('may answer in the method’s place', async () => {
    expect(await tools.call('cached')).toBe('from the cache');
    expect(tools.app.get(InterceptedTools).calls).toBe(0);
  });

  it.each(['empty', 'emptyInside'])('take an empty stream (%s) for undefined', async (name) => {
    expect(await tools.call(name)).toBeUndefined();
  });

  it('are not needed: a plain value comes as it is', async () => {
    expect(await tools.outcome('list')).toEqual([1, 2]);
  });
});

class DomainError extends Error {}

@Catch(DomainError)
class DomainFilter implements ExceptionFilter {
  constructor(@Inject('TRANSLATION') private readonly translation: string) {}

  catch(exception: DomainError): never {
    throw new NotFoundException(`${this.translation}: ${exception.message}`);
  }
}

@Catch(BadRequestException)
class FallbackFilter implements ExceptionFilter {
  catch(): string {
    return 'a fallback';
  }
}

@Catch()
class CatchAllFilter implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{
      status(code: number): { json(body: unknown): void };
    }>();
    response.status(500).json({ statusCode: 500, message: 'Internal server error' });
  }
}

@Catch()
class BrokenFilter implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<{ brew(): void }>().brew();
  }
}

@Injectable()
class FailingTools {
  @UseFilters(DomainFilter)
  @Tool({ description: 'Fails in the domain’s own words' })
  domain(): never {
    throw new DomainError('no such order');
  }

  @UseFilters(DomainFilter)
  @Tool({ description: 'Fails after it has begun' })
  late(): Observable<unknown> {
    return concat(
      of('progress'),
      throwError(() => new DomainError('lost')),
    );
  }

  @UseFilters(DomainFilter, FallbackFilter)
  @Tool({ description: 'Has a fallback' })
  fallback(): never {
    throw new BadRequestException();
  }

  @UseFilters(CatchAllFilter)
  @Tool({ description: 'Speaks to the model' })
  outspoken(): never {
    throw new ToolError('There is no order 17.');
  }

  @UseFilters(CatchAllFilter)
  @Tool({ description: 'Fails unexpectedly' })
  unexpected(): never {
    throw new Error('password=hunter2');
  }

  @UseFilters(BrokenFilter)
  @Tool({ description: 'Has a filter that breaks' })
  broken(): never {
    throw new NotFoundException('the original');
  }
}

describe('filters', () => {
  let tools: ToolApplication;
  beforeAll(async () => {
    @Module({ providers: [{ provide: 'TRANSLATION', useValue: 'translated' }, FailingTools] })
    class FailingModule {}
    tools = await ToolApplication.boot({ imports: [FailingModule] });
  });
  afterAll(() => tools.close());

  it('may throw another exception, also when a stream has begun', async () => {
    await expect(tools.call('domain')).rejects.toThrow('translated: no such order');
    const outcome = await tools.outcome('late');
    await expect(valuesOf(outcome as Observable<unknown>)).rejects.toThrow('translated: lost');
  });

  it('may answer with a value', async () => {
    expect(await tools.call('fallback')).toBe('a fallback');
  });

  it('do not swallow what a tool tells the model', async () => {
    await expect(tools.call('outspoken')).rejects.toThrow('There is no order 17.');
  });

  it('decide with what they write to the response', async () => {
    const failure = await tools.call('unexpected').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HttpException);
    expect(failure).toMatchObject({
      status: 500,
      response: { statusCode: 500, message: 'Internal server error' },
    });
  });

  it('have no say where they break themselves', async () => {
    await expect(tools.call('broken')).rejects.toThrow('the original');
  });
});
