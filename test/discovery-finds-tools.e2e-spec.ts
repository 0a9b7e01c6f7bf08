import { Controller, Get, Inject, Injectable, Logger, Module, Scope } from '@nestjs/common';
import { LazyModuleLoader, REQUEST } from '@nestjs/core';
import { Tool, Toolkit, ToolLoader, ToolParam } from 'nestjs-agent';
import { ToolApplication } from './support/tool-application';

@Injectable()
class MathTools {
  @Tool({ description: 'Add two numbers' })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }
}

abstract class BaseTools {
  @Tool({ description: 'Say who this is' })
  whoAmI(): string {
    return this.constructor.name;
  }

  @Tool({ description: 'Is overridden without a decorator' })
  overridden(): string {
    return 'base';
  }

  get explosive(): string {
    throw new Error('A getter was evaluated.');
  }
}

@Injectable()
class DerivedTools extends BaseTools {
  override overridden(): string {
    return 'derived';
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestTools {
  constructor(@Inject(REQUEST) private readonly request: { readonly user: string } | undefined) {}

  @Tool({ description: 'Say whose request this is' })
  requestUser(): string {
    return this.request?.user ?? 'nobody';
  }
}

@Injectable()
class ImplicitlyScopedTools {
  constructor(private readonly tools: RequestTools) {}

  @Tool({ description: 'Ask a request-scoped dependency' })
  askDependency(): string {
    return this.tools.requestUser();
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientTools {
  @Tool({ description: 'Say hello' })
  hello(): string {
    return 'hello';
  }
}

@Controller('orders')
class OrdersController {
  @Tool({ description: 'List the orders' })
  @Get()
  findAll(): string[] {
    return ['one'];
  }

  @Get('plain')
  plain(): string {
    return 'plain';
  }
}

describe('discovery', () => {
  let tools: ToolApplication | undefined;
  afterEach(() => tools?.close());

  it('finds decorated methods of providers and controllers', async () => {
    tools = await ToolApplication.boot({
      providers: [MathTools],
      controllers: [OrdersController],
    });
    expect(tools.names).toEqual(['orders_find_all', 'add']);
    expect(tools.tool('add')).toMatchObject({ kind: 'provider', source: 'MathTools.add' });
    expect(tools.tool('orders_find_all')).toMatchObject({
      kind: 'route',
      source: 'OrdersController.findAll',
    });
  });

  it('finds inherited methods once and leaves undecorated overrides out', async () => {
    tools = await ToolApplication.boot({ providers: [DerivedTools] });
    expect(tools.names).toEqual(['whoAmI']);
    expect(await tools.call('whoAmI')).toBe('DerivedTools');
  });

  it('finds one class once, in two modules, under an alias and through a factory', async () => {
    @Module({ providers: [MathTools], exports: [MathTools] })
    class FirstModule {}
    @Module({ providers: [MathTools, { provide: 'ALIAS', useExisting: MathTools }] })
    class SecondModule {}
    @Module({
      imports: [FirstModule],
      providers: [
        { provide: 'FACTORY', inject: [MathTools], useFactory: (math: MathTools) => math },
        { provide: 'VALUE', useValue: new MathTools() },
      ],
    })
    class ThirdModule {}
    tools = await ToolApplication.boot({ imports: [FirstModule, SecondModule, ThirdModule] });
    expect(tools.names).toEqual(['add']);
    expect(await tools.call('add', { a: 1, b: 2 })).toBe(3);
  });

  it.each([
    ['a value', { provide: 'TOOLS', useValue: new MathTools() }],
    ['a factory', { provide: 'TOOLS', useFactory: () => new MathTools() }],
    ['an asynchronous factory', { provide: 'TOOLS', useFactory: async () => new MathTools() }],
    ['a class under another token', { provide: 'TOOLS', useClass: MathTools }],
  ])('finds the tools of %s', async (_what, provider) => {
    tools = await ToolApplication.boot({ providers: [provider] });
    expect(await tools.call('add', { a: 20, b: 22 })).toBe(42);
  });

  it('finds request-scoped providers, and those that depend on one', async () => {
    tools = await ToolApplication.boot({ providers: [RequestTools, ImplicitlyScopedTools] });
    expect([...tools.names].sort()).toEqual(['askDependency', 'requestUser']);
    expect(await tools.call('requestUser', {}, { request: { user: 'alice' } })).toBe('alice');
    expect(await tools.call('askDependency', {}, { request: { user: 'bob' } })).toBe('bob');
    expect(await tools.call('requestUser')).toBe('nobody');
  });

  it('finds a request-scoped factory whose token is the class', async () => {
    tools = await ToolApplication.boot({
      providers: [
        {
          provide: RequestTools,
          scope: Scope.REQUEST,
          inject: [REQUEST],
          useFactory: (request: { readonly user: string }) => new RequestTools(request),
        },
        { provide: 'ALIAS', useExisting: RequestTools },
        { provide: BaseTools, useExisting: RequestTools },
      ],
    });
    expect(tools.names).toEqual(['requestUser']);
    expect(await tools.call('requestUser', {}, { request: { user: 'alice' } })).toBe('alice');
  });

  it('finds transient providers', async () => {
    tools = await ToolApplication.boot({ providers: [TransientTools] });
    expect(await tools.call('hello')).toBe('hello');
  });

  it('takes values, null prototypes and functions among the providers as they are', async () => {
    tools = await ToolApplication.boot({
      providers: [
        MathTools,
        { provide: 'NULL', useValue: null },
        { provide: 'UNDEFINED', useFactory: () => undefined },
        { provide: 'BARE', useValue: Object.create(null) },
        { provide: 'FUNCTION', useValue: () => 1 },
        { provide: 'NUMBER', useValue: 7 },
        { provide: 'ODD', useValue: { constructor: 'none' } },
      ],
    });
    expect(tools.names).toEqual(['add']);
  });

  it('is not stopped by a proxy that answers nothing but Nest’s own questions', async () => {
    const known = (name: string | symbol) =>
      typeof name === 'symbol' || /^(then|on|before)/.test(name);
    const strict = new Proxy(
      {},
      {
        get(_target, name) {
          if (known(name)) return undefined;
          throw new Error(`"${String(name)}" was read before there is a request.`);
        },
      },
    );
    tools = await ToolApplication.boot({
      providers: [MathTools, { provide: 'STRICT', useValue: strict }],
    });
    expect(tools.names).toEqual(['add']);
  });

  it('prefixes the names of a toolkit and keeps what it says of itself', async () => {
    @Toolkit({
      description: 'Arithmetic',
      prefix: 'math_',
      group: 'numbers',
      instructions: 'Never guess.',
    })
    class PrefixedTools extends MathTools {}
    tools = await ToolApplication.boot({ providers: [PrefixedTools, MathTools] });
    expect(tools.names).toEqual(['math_add', 'add']);
    expect(tools.tool('math_add')).toMatchObject({
      group: 'numbers',
      toolkit: {
        name: 'PrefixedTools',
        description: 'Arithmetic',
        instructions: 'Never guess.',
      },
    });
  });

  it('finds the tools of a lazily loaded module when it looks again', async () => {
    @Module({ providers: [MathTools] })
    class LateModule {}
    tools = await ToolApplication.boot({ providers: [DerivedTools] });
    const loader = tools.app.get(ToolLoader, { strict: false });
    await tools.app.get(LazyModuleLoader).load(() => LateModule);
    expect(tools.names).toEqual(['whoAmI']);
    expect(await Promise.all([loader.refresh(), loader.refresh()])).toEqual([1, 0]);
    expect(tools.names).toEqual(['whoAmI', 'add']);
    expect(await tools.call('add', { a: 1, b: 1 })).toBe(2);
  });

  it('finds no routes of a lazily loaded module, which Nest does not serve, and says so', async () => {
    @Controller('late')
    class LateController {
      @Tool({ description: 'Is served by nothing' })
      @Get()
      read() {}
    }
    @Module({ controllers: [LateController], providers: [MathTools] })
    class LateModule {}
    tools = await ToolApplication.boot({ providers: [DerivedTools] });
    const log = jest.spyOn(Logger.prototype, 'log');
    await tools.app.get(LazyModuleLoader).load(() => LateModule);
    const loader = tools.app.get(ToolLoader, { strict: false });
    expect([await loader.refresh(), await loader.refresh()]).toEqual([1, 0]);
    expect(tools.names).toEqual(['whoAmI', 'add']);
    const said = log.mock.calls.map(([message]) => String(message));
    log.mockRestore();
    expect(said.filter((message) => message.includes('LateController.read'))).toEqual([
      'Nest does not serve controllers of lazily loaded modules, so these routes are no tools: LateController.read. Set dispatch: { baseUrl } to call them elsewhere.',
    ]);
  });
});
