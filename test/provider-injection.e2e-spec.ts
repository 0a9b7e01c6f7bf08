import {
  type ArgumentMetadata,
  DefaultValuePipe,
  Injectable,
  ParseIntPipe,
  type PipeTransform,
  ValidationPipe,
} from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import {
  AgentRun,
  InvalidArgumentsError,
  Tool,
  ToolContext,
  ToolEmitter,
  Toolkit,
  ToolParam,
} from 'nestjs-agent';
import { callOf, ToolApplication, type ToolModuleOptions } from './support/tool-application';

class Tenant {
  constructor(readonly name: string) {}
}
class SpecialTenant extends Tenant {}

class LineDto {
  @IsInt()
  @Min(1)
  quantity!: number;
}

class OrderDto {
  @IsString()
  @Transform(({ value }) => `${String(value)}!`)
  customer!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines!: LineDto[];

  @IsOptional()
  @IsString()
  note?: string;
}

@Toolkit({ description: 'All kinds of parameters', context: [new Tenant('toolkit')] })
@Injectable()
class ParameterTools {
  @Tool({ description: 'Everything that is injected' })
  injected(
    context: ToolContext,
    emitter: ToolEmitter,
    run: AgentRun,
    signal: AbortSignal,
    tenant: Tenant,
    @ToolParam('text') text: string,
  ): unknown {
    emitter.emit({ half: true });
    context.emit('done');
    return {
      request: context.request,
      run,
      isSameSignal: context.signal === signal,
      tenant: tenant.name,
      text,
    };
  }

  @Tool({ description: 'A visible parameter that the context can give' })
  visible(
    @ToolParam('tenant', { required: false }) tenant: Tenant,
    @ToolParam('limit', { default: 10 }) limit: number,
    @ToolParam('when', { required: false }) when?: Date,
    @ToolParam('note', { required: false }) note?: string,
  ): unknown {
    return { tenant, limit, when, note };
  }

  @Tool({ description: 'A typed order' })
  order(@ToolParam('order') order: OrderDto): unknown {
    return { isTyped: order instanceof OrderDto && order.lines[0] instanceof LineDto, order };
  }

  @Tool({ description: 'The whole input as one order', input: OrderDto })
  whole(signal: AbortSignal, order: OrderDto): unknown {
    signal.throwIfAborted();
    return { isTyped: order instanceof OrderDto && order.lines[0] instanceof LineDto, order };
  }

  @Tool({ description: 'Piped' })
  piped(
    @ToolParam('count', ParseIntPipe) count: number,
    @ToolParam('size', new DefaultValuePipe(5), ParseIntPipe) size: number,
    @ToolParam('page', { required: false }, ParseIntPipe) page?: number,
  ): unknown {
    return { count, size, page };
  }
}

@Injectable()
class InvoiceTools {
  @Tool({ name: 'create_invoice', description: 'Create an invoice' })
  create(@ToolParam('amount') amount: number, currency: string, tenant: unknown): unknown {
    return { amount, currency, tenant };
  }
}

const order = { customer: 'Ada', lines: [{ quantity: 2 }] };

describe('the parameters of a provider tool', () => {
  let tools: ToolApplication | undefined;
  afterEach(() => tools?.close());
  const boot = (options: ToolModuleOptions = {}, pipes: readonly PipeTransform[] = []) =>
    ToolApplication.boot(
      { providers: [ParameterTools, InvoiceTools] },
      {
        presets: { create_invoice: { currency: 'EUR', tenant: 't1' } },
        ...options,
      },
      (app) => void app.useGlobalPipes(...pipes),
    );

  it('are injected by their types and stay out of the schema', async () => {
    tools = await boot();
    expect(tools.tool('injected').definition.input_schema).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    });
    const run = { agentName: 'agent', runId: 'r', sessionId: 's', cancel: () => undefined };
    const request = { user: 'alice' };
    expect(await tools.call('injected', { text: 'hi' }, { request, run })).toEqual({
      request,
      run,
      isSameSignal: true,
      tenant: 'toolkit',
      text: 'hi',
    });
    expect(tools.progress).toEqual([{ half: true }, 'done']);
  });

  it('take the call’s context over the agent’s over the toolkit’s', async () => {
    tools = await boot({ context: [new Tenant('agent')] });
    const tenantOf = async (context: readonly object[]) =>
      ((await tools?.call('injected', { text: '' }, { context })) as { tenant: string }).tenant;
    expect(await tenantOf([])).toBe('agent');
    expect(await tenantOf([new Tenant('call')])).toBe('call');
    expect(await tenantOf([new SpecialTenant('special'), new Tenant('exact')])).toBe('exact');
    expect(await tenantOf([{ name: 'none' }, new SpecialTenant('special')])).toBe('special');
  });

  it('take the model’s value, the default, the context, in this order', async () => {
    tools = await boot();
    const call = (input: Parameters<ToolApplication['call']>[1]) => tools?.call('visible', input);
    expect(await call({})).toEqual({
      tenant: new Tenant('toolkit'),
      limit: 10,
      when: undefined,
      note: undefined,
    });
    expect(await call({ limit: 3, when: '2026-01-02T03:04:05Z', note: null })).toEqual({
      tenant: new Tenant('toolkit'),
      limit: 3,
      when: new Date('2026-01-02T03:04:05Z'),
      note: undefined,
    });
  });

  it('are typed instances, once transformed, whether they are one or the whole input', async () => {
    tools = await boot();
    const expected = { isTyped: true, order: { customer: 'Ada!', lines: [{ quantity: 2 }] } };
    expect(await tools.call('order', { order })).toMatchObject(expected);
    expect(await tools.call('whole', order)).toMatchObject(expected);
    expect(tools.tool('whole').definition.input_schema).toMatchObject({
      type: 'object',
      required: ['customer', 'lines'],
      additionalProperties: false,
    });
  });

  it.each([
    ['that transforms and whitelists', { transform: true, whitelist: true }],
    [
      'that transforms and forbids',
      { transform: true, whitelist: true, forbidNonWhitelisted: true },
    ],
    ['that only validates', {}],
    ['that validates and whitelists', { whitelist: true }],
  ])('are typed under a global ValidationPipe %s', async (_what, options) => {
    tools = await boot({}, [new ValidationPipe(options)]);
    const call = (name: string, input: object) => tools?.call(name, input as never);
    const typed = { isTyped: true, order: { lines: [{ quantity: 2 }] } };
    const wholeOrder = (await call('whole', order)) as { order: OrderDto };
    const oneOrder = (await call('order', { order })) as { order: OrderDto };
    expect(wholeOrder).toMatchObject(typed);
    expect(oneOrder).toMatchObject(typed);
    // A pipe that hands out what it transformed inside, as plain again, adds its two rounds.
    const isPlain = !('transform' in options) && 'whitelist' in options;
    const customer = isPlain ? 'Ada!!!' : 'Ada!';
    expect([wholeOrder.order.customer, oneOrder.order.customer]).toEqual([customer, customer]);
    const injected = await tools.call(
      'injected',
      { text: 'hi' },
      { context: [new Tenant('call')] },
    );
    expect(injected).toMatchObject({ tenant: 'call', text: 'hi', isSameSignal: true });
  });

  it('show pipes the model’s arguments alone', async () => {
    const seen: [unknown, ArgumentMetadata][] = [];
    const spy: PipeTransform = {
      transform: (value: unknown, metadata) => {
        seen.push([value, metadata]);
        return value;
      },
    };
    tools = await boot({}, [spy]);
    await tools.call('injected', { text: 'hi' });
    await tools.call('create_invoice', { amount: 1 });
    await tools.call('visible', { limit: 1 });
    await tools.call('whole', order);
    expect(seen).toEqual([
      ['hi', { type: 'body', metatype: String, data: 'text' }],
      [1, { type: 'body', metatype: Number, data: 'amount' }],
      [1, { type: 'body', metatype: Number, data: 'limit' }],
      [order, { type: 'body', metatype: OrderDto, data: undefined }],
    ]);
  });

  it('run their own pipes, DefaultValuePipe also where nothing was sent', async () => {
    tools = await boot();
    expect(await tools.call('piped', { count: 3 })).toEqual({ count: 3, size: 5, page: undefined });
    expect(await tools.call('piped', { count: 3, size: 4, page: 2 })).toEqual({
      count: 3,
      size: 4,
      page: 2,
    });
  });

  it('refuse what does not fit, with pointers', async () => {
    tools = await boot();
    const refused = async (name: string, input: object) => {
      const error: unknown = await tools
        ?.tool(name)
        .bind(input as never)
        .catch((e: unknown) => e);
      return (error as InvalidArgumentsError).issues.map(({ path }) => path);
    };
    expect(
      await refused('order', { order: { customer: 'Ada', note: 1, lines: [{ quantity: 0 }] } }),
    ).toEqual(['/order/lines/0/quantity', '/order/note']);
    expect(await refused('whole', { lines: [] })).toEqual(['/customer']);
    expect(await refused('visible', { tenant: { name: 1 }, when: 'soon' })).toContain('/when');
  });

  describe('named in presets', () => {
    it('are hidden from the model and refused when it sends them', async () => {
      tools = await boot();
      expect(await tools.call('create_invoice', { amount: 7 })).toEqual({
        amount: 7,
        currency: 'EUR',
        tenant: 't1',
      });
      expect(tools.tool('create_invoice').definition.input_schema.properties).toEqual({
        amount: { type: 'number' },
      });
      await expect(
        tools.tool('create_invoice').bind({ amount: 7, currency: 'USD' }),
      ).rejects.toBeInstanceOf(InvalidArgumentsError);
    });

    it('are worked out once per call, whatever the attempts', async () => {
      const tenant = jest.fn(async (ctx: ToolContext) => ctx.request);
      tools = await boot({ presets: { create_invoice: { currency: 'EUR', tenant } } });
      const call = callOf(tools.tool('create_invoice'));
      for (const attempt of [1, 2]) {
        expect(
          await tools.call('create_invoice', { amount: 1 }, { call, attempt, request: 'r1' }),
        ).toMatchObject({ tenant: 'r1' });
      }
      await tools.call('create_invoice', { amount: 1 }, { request: 'r2' });
      expect(tenant).toHaveBeenCalledTimes(2);
    });

    it('fail the call where their function fails', async () => {
      const tenant = () => {
        throw new Error('no tenant');
      };
      tools = await boot({ presets: { create_invoice: { currency: 'EUR', tenant } } });
      await expect(tools.call('create_invoice', { amount: 1 })).rejects.toThrow('no tenant');
    });

    it('may be an argument that is decorated', async () => {
      tools = await boot({
        presets: { create_invoice: { amount: 5, currency: 'EUR', tenant: undefined } },
      });
      expect(tools.tool('create_invoice').definition.input_schema.properties).toEqual({});
      expect(await tools.call('create_invoice')).toEqual({
        amount: 5,
        currency: 'EUR',
        tenant: undefined,
      });
    });
  });

  it('keep two classes of one name and one method apart', async () => {
    const first = (() => {
      @Injectable()
      class Tools {
        @Tool({ name: 'first', description: 'First' })
        run(@ToolParam('a') a: string, emitter: ToolEmitter): unknown {
          return [a, emitter instanceof ToolEmitter];
        }
      }
      return Tools;
    })();
    const second = (() => {
      @Injectable()
      class Tools {
        @Tool({ name: 'second', description: 'Second' })
        run(emitter: ToolEmitter, @ToolParam('b') b: number): unknown {
          return [emitter instanceof ToolEmitter, b];
        }
      }
      return Tools;
    })();
    tools = await ToolApplication.boot({ providers: [first, second] });
    expect(await tools.call('first', { a: 'x' })).toEqual(['x', true]);
    expect(await tools.call('second', { b: 2 })).toEqual([true, 2]);
  });

  it('are none for a method without any, which gets nothing of the request', async () => {
    const received: unknown[][] = [];
    @Injectable()
    class BareTools {
      @Tool({ description: 'Takes nothing' })
      bare(): string {
        return 'bare';
      }
    }
    tools = await ToolApplication.boot({ providers: [BareTools] });
    const instance = tools.app.get(BareTools);
    instance.bare = (...args: unknown[]) => {
      received.push(args);
      return 'spied';
    };
    expect(await tools.call('bare', {}, { request: { user: 'alice' } })).toBe('spied');
    expect(received).toEqual([[]]);
  });
});
