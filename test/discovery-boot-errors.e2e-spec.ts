import { Controller, Get, Injectable, Param, type Type } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import {
  type Permission,
  Tool,
  ToolContext,
  ToolDeclarationError,
  Toolkit,
  type ToolOptions,
  ToolParam,
} from 'nestjs-agent';
import { ToolApplication, type ToolModuleOptions } from './support/tool-application';

class NoteDto {
  @IsString()
  text!: string;
}

@Injectable()
class SilentTools {
  @Tool()
  silent(): void {}
}

@Injectable()
class DocumentedTools {
  @ApiOperation({ summary: 'Described by swagger' })
  @Tool()
  documented(): void {}
}

@Injectable()
class BadNameTools {
  @Tool({ name: 'no spaces please', description: 'Badly named' })
  fine(): void {}
}

@Injectable()
class OneTools {
  @Tool({ description: 'One' })
  same(): void {}
}

@Injectable()
class OtherTools {
  @Tool({ name: 'same', description: 'Other' })
  another(): void {}
}

@Injectable()
class UndecoratedTools {
  @Tool({ description: 'Has an undecorated parameter' })
  save(@ToolParam('id') _id: number, _note: NoteDto): void {}
}

@Injectable()
class ContradictoryTools {
  @Tool({ description: 'Injects an argument' })
  save(@ToolParam('context') _context: ToolContext): void {}
}

@Injectable()
class TwofoldTools {
  @Tool({ description: 'Describes its arguments twice', input: NoteDto })
  save(_note: NoteDto, @ToolParam('more') _more: string): void {}
}

@Controller('orders')
class OrdersController {
  @Tool({ description: 'No route' })
  helper(): void {}

  @Tool({ description: 'A route' })
  @Get(':id')
  find(@Param('id') id: string): string {
    return id;
  }
}

async function errorOf(
  providers: readonly Type<unknown>[],
  options: ToolModuleOptions = {},
  controllers: readonly Type<unknown>[] = [],
): Promise<string> {
  const boot = ToolApplication.boot(
    { providers: [...providers], controllers: [...controllers] },
    options,
  );
  const error: unknown = await boot.then(
    (tools) => tools.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolDeclarationError);
  return (error as Error).message;
}

describe('a wrong declaration stops the boot', () => {
  it('without a description, unless swagger has one', async () => {
    expect(await errorOf([SilentTools])).toMatch(
      /^SilentTools\.silent: the tool has no description\..* where the compiler plugin has read the class\.$/,
    );
    const tools = await ToolApplication.boot({ providers: [DocumentedTools] });
    expect(tools.tool('documented').definition.description).toBe('Described by swagger');
    await tools.close();
  });

  it('with a bad name', async () => {
    expect(await errorOf([BadNameTools])).toMatch(/^BadNameTools\.fine: "no spaces please"/);
    @Toolkit({ description: 'Badly prefixed', prefix: 'a.b.' })
    class PrefixedTools extends OneTools {}
    expect(await errorOf([PrefixedTools])).toMatch(/^PrefixedTools\.same: "a\.b\.same"/);
  });

  it('with a name that another tool has, naming both and proposing a prefix', async () => {
    const message = await errorOf([OneTools, OtherTools]);
    expect(message).toMatch(/OneTools\.same/);
    expect(message).toMatch(/OtherTools\.another/);
    expect(message).toMatch(/prefix/);
  });

  it('with a parameter that nothing fills', async () => {
    const message = await errorOf([UndecoratedTools]);
    expect(message).toMatch(/UndecoratedTools\.save/);
    expect(message).toMatch(/NoteDto/);
    expect(message).toMatch(/@ToolParam/);
  });

  it('with an argument that its type injects, and with arguments described twice', async () => {
    expect(await errorOf([ContradictoryTools])).toMatch(
      /^ContradictoryTools\.save: parameter "context" is injected/,
    );
    expect(await errorOf([TwofoldTools])).toMatch(/^TwofoldTools\.save/);
  });

  it('with a preset that hits no parameter, on providers and on routes', async () => {
    const presets = { same: { currency: 'EUR' }, orders_find: { tenant: 'a' } };
    const message = await errorOf([OneTools], { presets }, [OrdersController]);
    expect(message).toMatch(/OneTools\.same: "presets" names "currency"/);
    expect(message).toMatch(/OrdersController\.find: "presets" names "tenant"/);
  });

  it('with @Tool on a controller’s method that is no route', async () => {
    expect(await errorOf([], {}, [OrdersController])).toMatch(
      /^OrdersController\.helper: no route/,
    );
  });

  it('with an option that does not exist, which a build without type checks lets pass', async () => {
    class MisspeltTools {
      @Tool({ description: 'Pay', permision: 'ask' } as ToolOptions)
      pay(): void {}
    }
    expect(await errorOf([MisspeltTools])).toBe(
      'MisspeltTools.pay: @Tool({ permision }) is no option; did you mean permission?',
    );
  });

  it('with values that no option takes, on providers, toolkits and exposed routes', async () => {
    @Toolkit({ description: 'Payments', grup: 'money' } as Parameters<typeof Toolkit>[0])
    class PaymentTools {
      @Tool({
        description: 'Pay',
        permission: 'never' as Permission,
        timeoutMs: -1,
        retry: { maxAttempts: 0 },
      })
      pay(): void {}
    }
    const exposed = [
      {
        controller: OrdersController,
        tools: { find: { maxResultChars: 'all' as never, description: 5 as never } },
      },
    ];
    const message = await errorOf([PaymentTools], { exposed, scan: { classes: [PaymentTools] } }, [
      OrdersController,
    ]);
    for (const problem of [
      'PaymentTools.pay: @Toolkit({ grup }) is no option; did you mean group?',
      '@Tool({ permission }) must be "allow", "ask" or "deny", not "never"',
      '@Tool({ timeoutMs }) must be a number above 0, not -1',
      '@Tool({ retry.maxAttempts }) must be a whole number above 0, not 0',
      'OrdersController.find: @Tool({ description }) must be a text, not 5',
      '@Tool({ maxResultChars }) must be a whole number above 0, not a text',
    ]) {
      expect(message).toContain(problem);
    }
  });

  it('once, with everything that is wrong', async () => {
    const message = await errorOf([
      SilentTools,
      BadNameTools,
      UndecoratedTools,
      OneTools,
      OtherTools,
    ]);
    expect(message).toMatch(/^4 tools are declared wrongly:\n- /);
    expect(message.split('\n- ')).toHaveLength(5);
    for (const source of [
      'SilentTools.silent',
      'BadNameTools.fine',
      'UndecoratedTools.save',
      'OtherTools.another',
    ]) {
      expect(message).toContain(source);
    }
  });
});

describe('presets of a route tool', () => {
  it('hide the argument and fill it', async () => {
    const tools = await ToolApplication.boot(
      { controllers: [OrdersController] },
      {
        scan: { classes: [] },
        presets: { orders_find: { id: 'the preset' } },
        exposed: [{ controller: OrdersController, tools: { find: { description: 'A route' } } }],
      },
    );
    const { input_schema } = tools.tool('orders_find').definition;
    expect(input_schema.properties).toEqual({});
    expect(input_schema.required).toBeUndefined();
    await expect(tools.tool('orders_find').bind({ id: 'mine' })).rejects.toThrow(/id/);
    expect(await tools.call('orders_find')).toBe('the preset');
    await tools.close();
  });
});

describe('presets of a run-time tool', () => {
  const transfer = {
    name: 'bank.transfer',
    description: 'Transfers money',
    input_schema: {
      type: 'object',
      properties: { to: { type: 'string' }, tenant: { type: 'string' } },
      required: ['to', 'tenant'],
    },
  } as const;
  const boot = (presets: NonNullable<ToolModuleOptions['presets']>) =>
    ToolApplication.boot({}, { presets });

  it('hide the argument and fill it, whichever of its names they use', async () => {
    const tools = await boot({ 'bank.transfer': { tenant: () => Promise.resolve('acme') } });
    const { name } = tools.registry.register(transfer, (input) => input);
    const { input_schema } = tools.tool(name).definition;
    expect(input_schema).toMatchObject({ properties: { to: {} }, required: ['to'] });
    expect(input_schema.properties).not.toHaveProperty('tenant');
    await expect(tools.tool(name).bind({ to: 'bob', tenant: 'other' })).rejects.toThrow(/tenant/);
    expect(await tools.call(name, { to: 'bob' })).toEqual({ to: 'bob', tenant: 'acme' });
    await tools.close();
  });

  it('refuse a tool that has no such argument', async () => {
    const tools = await boot({ 'bank.transfer': { currency: 'EUR' } });
    expect(() => tools.registry.register(transfer, () => undefined)).toThrow(/"currency"/);
    expect(tools.names).toEqual([]);
    await tools.close();
  });
});
