import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Module, type Type } from '@nestjs/common';
import {
  AgentModule,
  AUDIT_SINK,
  Tool,
  ToolParam,
  ToolRegistry,
  type AgentModuleOptions,
} from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { bootError, GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { shownJson } from '../../../test/support/shown-json';
import { AppModule } from './app.module';
import { Inventory } from './call-by-hand';
import { HarbourPlugin, tide } from './plugin.tools';
import { Advisor } from './rates.tools';
import { RefundReview } from './refund.tools';
import type { TableAuditSink } from './table.audit-sink';
import { unitOfWork, UnitOfWorkPerCall } from './unit-of-work';

const TEXT = guideText('tools-on-providers');

function shown(name: string): unknown {
  return shownJson(JSON.parse(readFileSync(join(__dirname, name), 'utf8')));
}

describe('the guide to tools on providers', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterAll(() => guide.close());
  const outputOf = async (name: string, input?: JsonObject) =>
    (await guide.call(name, input)).output;

  it('shows what becomes of a method', async () => {
    expect(shownJson((await guide.get('/agent/tools/stock_count')).body)).toEqual(
      shown('detail.json'),
    );
    expect(await outputOf('stock_count', { product: 'lamp' })).toBe(
      '{"product":"lamp","pieces":12}',
    );
  });

  it('makes typed values of the model’s arguments', async () => {
    const input = { state: 'arrived', since: '2026-05-01', products: ['lamp'] };
    expect(await outputOf('list_deliveries', input)).toBe(
      '{"state":"arrived","since":"2026-05-01T00:00:00.000Z","products":["lamp"],"limit":10}',
    );
    expect(await outputOf('order', { product: 'lamp', pieces: 2 })).toBe('2 of lamp ordered');
  });

  it('injects what is no argument', async () => {
    expect(await outputOf('look_at_shelf', { shelf: 'A' })).toBe(
      '{"products":["lamp on A"],"by":"ada","agent":"agent"}',
    );
    // The interceptor of the guide takes the preset's address out again.
    expect(await outputOf('send_letter', { text: 'Hi' })).toBe('"Hi" is on its way from [address]');
  });

  it.each([
    ['send_letter', { text: 'Hi', sender: 'eve@example.com' }],
    ['order', { product: 'lamp', pieces: 0 }],
    ['stock_count', { product: 'lam' }],
    ['open_gate', {}],
    ['read_gate_log', {}],
    ['look_through_camera', {}],
    ['wait_for_lorry', {}],
  ])('quotes what the model reads where %s fails', async (name, input) => {
    const { isError, output } = await guide.call(name, input);
    expect({ isError, isQuoted: TEXT.includes(output as string), output }).toMatchObject({
      isError: true,
      isQuoted: true,
    });
  });

  it('lets a guard see who chats', async () => {
    guide.model.push({ toolCalls: [{ name: 'open_gate' }] }, 'Done.');
    const { body } = await guide.post('/agent/chat', { message: 'Open the gate' }, 'grace');
    expect(body).toMatchObject({ toolCalls: [{ output: 'The gate is open.', isError: false }] });
  });

  it('loads, updates and unloads a toolkit', async () => {
    const plugin = guide.app.get(HarbourPlugin);
    const name = '/agent/tools/harbour_tide';
    plugin.load();
    expect((await guide.get(name)).body).toMatchObject({ title: 'Tide table', openWorld: true });
    plugin.update([{ ...tide, definition: { ...tide.definition, title: 'Tides' } }]);
    expect((await guide.get(name)).body).toMatchObject({ title: 'Tides' });
    plugin.unload();
    expect((await guide.get(name)).status).toBe(404);
  });

  it('waits until a reviewer has decided', async () => {
    const review = guide.app.get(RefundReview);
    const { status } = await guide.chat(
      {},
      { toolCalls: [{ name: 'review_refund', input: { order: 7 } }] },
      'You get your money back.',
    );
    expect(status).toBe('requires_action');
    const [question] = review.questions;
    if (question === undefined) throw new Error('Nothing was asked.');
    expect(await review.decide(question, true)).toMatchObject({
      status: 'completed',
      message: 'You get your money back.',
    });
  });

  it('streams progress', async () => {
    guide.model.push(
      { toolCalls: [{ id: 'call_1', name: 'print_labels', input: { count: 3 } }] },
      'Done.',
    );
    const stream = await guide.stream('/agent/chat/stream', { message: 'Three labels' });
    const events = await stream.all();
    const progress = events.filter(({ type }) => type === 'tool.progress');
    expect(shownJson(progress[0])).toEqual(shown('progress.json'));
    expect(progress).toHaveLength(2);
    expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({
      output: '3 of 3 printed',
    });
  });

  it('takes content blocks as they are', async () => {
    expect(await outputOf('plan')).toEqual([
      { type: 'text', text: 'Two shelves, A and B.' },
      expect.objectContaining({ type: 'image', mediaType: 'image/gif' }),
    ]);
  });

  it('switches groups on per session, retries, and answers from the cache', async () => {
    const ask = { toolCalls: [{ name: 'ask_price', input: { product: 'lamp' } }] };
    const { toolCalls, sessionId } = await guide.chat(
      {},
      ask,
      { toolCalls: [{ name: 'reset_equipped_tools', input: { to_activate: ['purchasing'] } }] },
      ask,
      'Done.',
    );
    const [refused, , priced] = toolCalls;
    expect(TEXT).toContain(refused?.output);
    // The first attempt failed: the supplier hung up.
    expect(priced).toMatchObject({ output: '{"price":20}', isError: false });
    const again = await guide.chat({ sessionId }, ask, 'Done.');
    expect(again.toolCalls).toMatchObject([{ output: '{"price":20}', isError: false }]);
    const sink: TableAuditSink = guide.app.get(AUDIT_SINK);
    const calls = sink.rows.filter(({ tool }) => tool === 'ask_price');
    expect(calls.map(({ attempts, errorCode }) => errorCode ?? attempts)).toEqual([
      'group_inactive',
      2,
      0,
    ]);
  });

  it('takes tools that are made at run time', async () => {
    expect(await outputOf('convert_currency', { amount: 10, to: 'CHF' })).toBe(
      '{"amount":9,"currency":"CHF"}',
    );
    expect(await outputOf('Rates.today')).toBe('{"USD":1.1,"CHF":0.9}');
    const registry = guide.app.get(ToolRegistry);
    const name = registry.get('Rates.today')?.name;
    expect(TEXT).toContain(name);
    expect(guide.model.requests.at(-1)?.tools.map((tool) => tool.name)).toContain(name);
    expect(registry.search('what a euro costs')[0]?.name).toBe(name);
    expect(() => registry.unregister('stock_count')).toThrow('cannot be unregistered');
    guide.model.push({ toolCalls: [{ name: 'balance' }] }, 'Done.');
    const { toolCalls } = await guide.app.get(Advisor).advise('How much have I got?', 7);
    expect(toolCalls).toMatchObject([{ output: 'Log in to use balance.', isError: true }]);
    expect(registry.get('balance')).toBeUndefined();
  });

  it('keeps a record of every call', async () => {
    await guide.call('send_letter', { text: 'secret' });
    const { rows }: TableAuditSink = guide.app.get(AUDIT_SINK);
    expect(rows.at(-1)).toMatchObject({
      tool: 'send_letter',
      principal: 'ada',
      arguments: { text: '[redacted]' },
      argumentsDigest: expect.stringMatching(/^sha256:/),
      outcome: 'executed',
    });
  });

  it('calls a tool by hand', async () => {
    const inventory = guide.app.get(Inventory);
    expect(await inventory.count('lamp', 'ada')).toEqual({ product: 'lamp', pieces: 12 });
    expect(await inventory.count('lam', 'ada')).toMatchObject({ code: 'tool_error' });
    expect(await inventory.count(7 as never, 'ada')).toMatchObject({ code: 'invalid_arguments' });
  });
});

describe('a unit of work for each call', () => {
  @Injectable()
  class Visits {
    @Tool({ description: 'Count the visits of this unit of work', readOnly: true })
    count_visits(): number | undefined {
      const unit = unitOfWork.getStore();
      return unit?.set('visits', (unit.get('visits') ?? 0) + 1).get('visits');
    }
  }

  it('is not shared by the calls of one step', async () => {
    @Module({
      imports: [AgentModule.forRoot({ toolInterceptors: [UnitOfWorkPerCall] })],
      providers: [Visits],
    })
    class VisitsModule {}
    const guide = await GuideApp.start(VisitsModule);
    const twice = [{ name: 'count_visits' }, { name: 'count_visits' }];
    const { toolCalls } = await guide.chat({}, { toolCalls: twice }, 'Done.');
    expect(toolCalls).toMatchObject([{ output: '1' }, { output: '1' }]);
    await guide.close();
  });
});

describe('the guide to tools on providers quotes what stops the boot', () => {
  interface Order {
    readonly id: number;
  }

  class Described {
    @Tool({ description: 'Find' })
    find(): void {}
  }
  class Undescribed {
    @Tool()
    find(): void {}
  }
  class Unfilled {
    @Tool({ description: 'Find' })
    find(id: number): number {
      return id;
    }
  }
  class Untyped {
    @Tool({ description: 'Find' })
    find(@ToolParam('order') order: Order): Order {
      return order;
    }
  }
  class Misnamed {
    @Tool({ description: 'Find', name: 'find-order' })
    find(): void {}
  }
  const named = (name: string, tools: Type<unknown>): Type<unknown> => {
    Injectable()(tools);
    return Object.defineProperty(tools, 'name', { value: name });
  };

  it.each<[string, Type<unknown>[], AgentModuleOptions?]>([
    ['a clash', [named('OrderTools', Described), named('UserTools', class extends Described {})]],
    ['no description', [named('OrderTools', Undescribed)]],
    ['a parameter that nothing fills', [named('OrderTools', Unfilled)]],
    ['an unknown type', [named('OrderTools', Untyped)]],
    ['a name', [named('OrderTools', Misnamed)]],
    ['a preset', [Described], { presets: { find: { tenant: 'acme' } } }],
  ])('%s', async (_what, providers, options = {}) => {
    @Module({ imports: [AgentModule.forRoot(options)], providers })
    class BrokenModule {}
    const message = await bootError(BrokenModule);
    expect({ isQuoted: TEXT.includes(message), message }).toMatchObject({ isQuoted: true });
  });
});
