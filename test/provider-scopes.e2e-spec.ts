import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  type CallHandler,
  Scope,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  APP_GUARD,
  type ContextId,
  ContextIdFactory,
  type ContextIdStrategy,
  type HostComponentInfo,
  REQUEST,
} from '@nestjs/core';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants';
import { map, type Observable } from 'rxjs';
import { Tool, ToolParam } from 'nestjs-agent';
import { ToolApplication } from './support/tool-application';

interface FakeRequest {
  readonly user: string;
  readonly tenant?: string;
}

const requestOf = (user: string): { request: FakeRequest } => ({ request: { user } });

@Injectable({ scope: Scope.REQUEST })
class CallerService {
  static instances = 0;
  constructor(@Inject(REQUEST) readonly request: FakeRequest | undefined) {
    CallerService.instances++;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  static readonly seen: unknown[] = [];
  constructor(private readonly caller: CallerService) {}

  canActivate(): boolean {
    ScopedGuard.seen.push(this.caller.request?.user);
    return this.caller.request?.user !== 'mallory';
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedInterceptor implements NestInterceptor {
  constructor(private readonly caller: CallerService) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value) => `${this.caller.request?.user}: ${String(value)}`));
  }
}

@Injectable()
class SingletonTools {
  @Tool({ description: 'Ping' })
  ping(): string {
    return 'pong';
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestTools {
  constructor(private readonly caller: CallerService) {}

  @Tool({ description: 'Who calls' })
  async whoCalls(@ToolParam('pause') pause: number): Promise<unknown> {
    for (let turn = 0; turn < pause; turn++) await Promise.resolve();
    return this.caller.request?.user;
  }
}

describe('request scope', () => {
  let tools: ToolApplication | undefined;
  beforeEach(() => {
    CallerService.instances = 0;
    ScopedGuard.seen.splice(0);
  });
  afterEach(() => tools?.close());

  it('gives each call its own instances, made for its request', async () => {
    tools = await ToolApplication.boot({ providers: [CallerService, RequestTools] });
    expect(await tools.call('whoCalls', { pause: 0 }, requestOf('alice'))).toBe('alice');
    expect(await tools.call('whoCalls', { pause: 0 }, requestOf('bob'))).toBe('bob');
    expect(await tools.call('whoCalls', { pause: 0 })).toBeUndefined();
    expect(CallerService.instances).toBe(3);
  });

  it('never mixes two users up: 200 calls at once by 20 of them', async () => {
    tools = await ToolApplication.boot({
      providers: [CallerService, RequestTools, { provide: APP_GUARD, useClass: ScopedGuard }],
    });
    const application = tools;
    const users = Array.from({ length: 200 }, (_, index) => `user ${index % 20}`);
    const requests = new Map(users.map((user) => [user, { user }]));
    const results = await Promise.all(
      users.map((user, index) =>
        application.call('whoCalls', { pause: index % 7 }, { request: requests.get(user) }),
      ),
    );
    expect(results).toEqual(users);
    expect([...ScopedGuard.seen].sort()).toEqual([...users].sort());
  });

  it('runs a request-scoped APP_GUARD for a singleton provider', async () => {
    tools = await ToolApplication.boot({
      providers: [
        CallerService,
        SingletonTools,
        { provide: APP_GUARD, useClass: ScopedGuard, scope: Scope.REQUEST },
      ],
    });
    expect(await tools.call('ping', {}, requestOf('alice'))).toBe('pong');
    await expect(tools.call('ping', {}, requestOf('mallory'))).rejects.toMatchObject({
      status: 403,
    });
    await expect(tools.authorize('ping', requestOf('mallory'))).rejects.toMatchObject({
      status: 403,
    });
    expect(ScopedGuard.seen).toEqual(['alice', 'mallory', 'mallory']);
  });

  it('runs request-scoped guards and interceptors on the class and the method', async () => {
    @UseGuards(ScopedGuard)
    @Injectable()
    class ScopedEnhancersTools {
      @UseInterceptors(ScopedInterceptor)
      @Tool({ description: 'Ping' })
      ping(): string {
        return 'pong';
      }
    }
    for (const provider of [
      ScopedEnhancersTools,
      { provide: 'TOOLS', useFactory: () => new ScopedEnhancersTools() },
    ]) {
      tools = await ToolApplication.boot({ providers: [CallerService, provider] });
      expect(await tools.call('ping', {}, requestOf('alice'))).toBe('alice: pong');
      expect(await tools.call('ping', {}, requestOf('bob'))).toBe('bob: pong');
      await expect(tools.call('ping', {}, requestOf('mallory'))).rejects.toMatchObject({
        status: 403,
      });
      await tools.close();
      tools = undefined;
    }
  });

  it('lets an error of a constructor end the call before the method runs', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class RefusingTools {
      constructor() {
        throw new Error('not today');
      }
      @Tool({ description: 'Never' })
      never(): string {
        return 'never';
      }
    }
    tools = await ToolApplication.boot({ providers: [RefusingTools] });
    await expect(tools.call('never')).rejects.toThrow('not today');
  });
});

describe('transient scope', () => {
  it('makes a tool’s provider per call, but keeps the guard that belongs to the tool', async () => {
    let providers = 0;
    @Injectable({ scope: Scope.TRANSIENT })
    class CountingGuard implements CanActivate {
      private calls = 0;
      canActivate(): boolean {
        return ++this.calls <= 2;
      }
    }
    @Injectable({ scope: Scope.TRANSIENT })
    class TransientTools {
      constructor() {
        providers++;
      }
      @UseGuards(CountingGuard)
      @Tool({ description: 'Twice at most' })
      twice(): string {
        return 'done';
      }
    }
    const tools = await ToolApplication.boot({ providers: [TransientTools] });
    providers = 0;
    expect(await tools.call('twice', {}, requestOf('alice'))).toBe('done');
    expect(await tools.call('twice', {}, requestOf('alice'))).toBe('done');
    await expect(tools.call('twice', {}, requestOf('alice'))).rejects.toThrow('Forbidden resource');
    expect(providers).toBe(2);
    await tools.close();
  });
});

class TenantStrategy implements ContextIdStrategy<FakeRequest> {
  private readonly tenants = new Map<string, ContextId>();

  attach(contextId: ContextId, request: FakeRequest) {
    const tenant = request.tenant ?? 'none';
    const shared = this.tenants.get(tenant) ?? ContextIdFactory.create();
    this.tenants.set(tenant, shared);
    return {
      resolve: (info: HostComponentInfo) => (info.isTreeDurable ? shared : contextId),
      payload: { tenant },
    };
  }
}

describe('durable providers', () => {
  const known = Reflect.get(ContextIdFactory, 'strategy') as ContextIdStrategy;
  beforeAll(() => ContextIdFactory.apply(new TenantStrategy() as ContextIdStrategy));
  afterAll(() => ContextIdFactory.apply(known));

  @Injectable({ scope: Scope.REQUEST, durable: true })
  class TenantTools {
    static instances = 0;
    constructor(@Inject(REQUEST) private readonly tenant: { readonly tenant: string }) {
      TenantTools.instances++;
    }
    @Tool({ description: 'Whose data this is' })
    tenantName(): string {
      return this.tenant.tenant;
    }
    @Tool({ description: 'What is known of the tenant' })
    tenantKeys(): string[] {
      return Object.keys(this.tenant);
    }
  }

  it('live as long as their tenant, not as their call', async () => {
    TenantTools.instances = 0;
    const tools = await ToolApplication.boot({ providers: [TenantTools] });
    const call = (tenant: string) =>
      tools.call('tenantName', {}, { request: { user: 'alice', tenant } });
    expect(await call('red')).toBe('red');
    expect(await call('red')).toBe('red');
    expect(await call('blue')).toBe('blue');
    expect(TenantTools.instances).toBe(2);
    await tools.close();
  });

  it('leave other providers the request, in calls at the same time', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class CallerTools {
      constructor(private readonly caller: CallerService) {}
      @Tool({ description: 'Who calls' })
      callerName(): string | undefined {
        return this.caller.request?.user;
      }
    }
    const tools = await ToolApplication.boot({
      providers: [CallerService, CallerTools, TenantTools],
    });
    const request: FakeRequest = { user: 'alice', tenant: 'green' };
    // As the router does if a guard of the endpoint is request-scoped.
    const value = ContextIdFactory.getByRequest(request);
    Object.defineProperty(request, REQUEST_CONTEXT_ID, { value });
    const calls = ['callerName', 'tenantKeys'].map((name) => tools.call(name, {}, { request }));
    expect(await Promise.all(calls)).toEqual(['alice', ['tenant']]);
    await tools.close();
  });

  it('leave a request-scoped APP_GUARD the request', async () => {
    ScopedGuard.seen.splice(0);
    const tools = await ToolApplication.boot({
      providers: [CallerService, TenantTools, { provide: APP_GUARD, useClass: ScopedGuard }],
    });
    const request = { user: 'alice', tenant: 'white' };
    expect(await tools.call('tenantKeys', {}, { request })).toEqual(['tenant']);
    await expect(tools.call('tenantKeys', {}, requestOf('mallory'))).rejects.toMatchObject({
      status: 403,
    });
    expect(ScopedGuard.seen).toEqual(['alice', 'mallory']);
    await tools.close();
  });

  it('leave request-scoped guards on their class the request, and create them once', async () => {
    let guards = 0;
    @Injectable({ scope: Scope.REQUEST })
    class UserGuard implements CanActivate {
      private readonly name: string;
      constructor(@Inject(REQUEST) request: FakeRequest) {
        guards++;
        this.name = request.user.toLowerCase();
      }
      canActivate(): boolean {
        return this.name !== 'mallory';
      }
    }
    @UseGuards(UserGuard)
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class GuardedTools extends TenantTools {}
    const tools = await ToolApplication.boot({ providers: [GuardedTools] });
    guards = 0;
    const call = (user: string) =>
      tools.call('tenantName', {}, { request: { user, tenant: 'black' } });
    expect(await call('Alice')).toBe('black');
    expect(await call('Alice')).toBe('black');
    await expect(call('Mallory')).rejects.toMatchObject({ status: 403 });
    expect(guards).toBe(3);
    await tools.close();
  });
});
