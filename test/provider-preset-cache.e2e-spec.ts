import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, offline, Tool, ToolCallFactory, Toolkit, ToolParam } from 'nestjs-agent';

class Tenant {
  constructor(readonly name: string) {}
}

@Toolkit({ description: 'Invoices' })
@Injectable()
class InvoiceTools {
  private lookUps = 0;

  @Tool({ description: 'List invoices', readOnly: true, cacheTtlMs: 60_000 })
  invoices(@ToolParam('tenant') tenant: string): string {
    return `invoices of ${tenant}`;
  }

  @Tool({ description: 'List rates', readOnly: true, cacheTtlMs: 60_000 })
  rates(@ToolParam('currency') currency: string): { currency: string; lookUp: number } {
    return { currency, lookUp: (this.lookUps += 1) };
  }
}

@Toolkit({ description: 'Orders' })
@Injectable()
class OrderTools {
  private lookUps = 0;

  @Tool({ description: 'List orders', readOnly: true, cacheTtlMs: 60_000 })
  orders(tenant: Tenant): { tenant: string; lookUp: number } {
    return { tenant: tenant.name, lookUp: (this.lookUps += 1) };
  }
}

describe("a cached tool with values that are not the model's", () => {
  it('never answers one tenant with what another one got', async () => {
    let tenant = 'north';
    @Module({
      imports: [
        AgentModule.forRoot({
          path: false,
          model: offline(),
          presets: { invoices: { tenant: () => tenant }, rates: { currency: 'EUR' } },
        }),
      ],
      providers: [InvoiceTools],
    })
    class AppModule {}
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    await module.init();
    const calls = module.get(ToolCallFactory);
    const run = async (name: string) => {
      const { response } = await calls.create(name, {}, { principal: 'alice' });
      return (await response.execute()).result;
    };
    expect(await run('invoices')).toBe('invoices of north');
    tenant = 'south';
    expect(await run('invoices')).toBe('invoices of south');
    expect(await run('rates')).toEqual({ currency: 'EUR', lookUp: 1 });
    expect(await run('rates')).toEqual({ currency: 'EUR', lookUp: 1 });
    await module.close();
  });

  it('tells the contexts of calls apart', async () => {
    @Module({
      imports: [
        AgentModule.forRoot({ path: false, model: offline(), context: [new Tenant('default')] }),
      ],
      providers: [OrderTools],
    })
    class AppModule {}
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    await module.init();
    const calls = module.get(ToolCallFactory);
    const run = async (context?: readonly object[]) => {
      const options = { principal: 'alice', ...(context && { context }) };
      const { response } = await calls.create('orders', {}, options);
      return (await response.execute()).result;
    };
    const [north, south] = [[new Tenant('north')], [new Tenant('south')]];
    expect(await run(north)).toEqual({ tenant: 'north', lookUp: 1 });
    expect(await run(south)).toEqual({ tenant: 'south', lookUp: 2 });
    expect(await run()).toEqual({ tenant: 'default', lookUp: 3 });
    expect(await run(north)).toEqual({ tenant: 'north', lookUp: 1 });
    expect(await run()).toEqual({ tenant: 'default', lookUp: 3 });
    await module.close();
  });
});
