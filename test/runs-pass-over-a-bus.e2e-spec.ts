import { EventEmitter, on } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  type AgentEvent,
  AgentModule,
  AgentService,
  memoryBus,
  memoryStore,
  type RunBus,
  type SessionStore,
} from 'nestjs-agent';
import { Barrier, ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';

const alice = { principal: 'alice' };
type Lease = Parameters<SessionStore['renew']>[0];
const END = { type: 'finish', reason: 'end_turn' } as const;

/** A bus of an application's own, which passes nothing but JSON, as one over a network does. */
class EmitterBus implements RunBus {
  private readonly wire = new EventEmitter({ captureRejections: true });
  private readonly sent = new Map<string, { readonly from: number; readonly events: string[] }>();
  fails = false;
  /** Sends nothing more; the rest works. */
  isFull = false;

  open: RunBus['open'] = ({ runId, lastSeq, onSignal }) => {
    if (this.fails) throw new Error('The wire is cut.');
    const events: string[] = [];
    this.sent.set(runId, { from: lastSeq, events });
    const receive = (signal: string): void =>
      onSignal(JSON.parse(signal) as Parameters<RunBus['signal']>[1]);
    this.wire.on(`to ${runId}`, receive);
    return {
      publish: (told) => {
        if (this.fails || this.isFull) throw new Error('The wire is cut.');
        events.push(...told.map((event) => JSON.stringify(event)));
        this.wire.emit(`of ${runId}`);
      },
      close: () => {
        if (this.fails) throw new Error('The wire is cut.');
        this.sent.delete(runId);
        this.wire.off(`to ${runId}`, receive).emit(`of ${runId}`);
      },
    };
  };

  follow: RunBus['follow'] = (runId, after) => {
    const run = this.sent.get(runId);
    if (this.fails || run === undefined || after < run.from) return undefined;
    const { wire, sent } = this;
    const changes = on(wire, `of ${runId}`);
    return (async function* () {
      for (let place = 0; ; await changes.next()) {
        for (; place < run.events.length; place += 1) {
          const event = JSON.parse(run.events[place] ?? '') as AgentEvent;
          if (event.seq > after) yield event;
        }
        if (!sent.has(runId)) return;
      }
    })();
  };

  signal: RunBus['signal'] = (runId, signal) => {
    if (this.fails) return Promise.reject(new Error('The wire is cut.'));
    return Promise.resolve(this.wire.emit(`to ${runId}`, JSON.stringify(signal)));
  };
}

/** A store that does only what it must, and never stores half an answer. */
function plainStore(): SessionStore {
  const store = memoryStore();
  return new Proxy(store, {
    get: (target, key) => {
      if (key === 'requestStop' || key === 'attend') return undefined;
      if (key === 'renew') return (lease: Lease, ttlMs: number) => target.renew(lease, ttlMs);
      return Reflect.get(target, key) as unknown;
    },
  });
}

describe.each([
  ['the bus in memory', memoryBus],
  ["an application's own bus", () => new EmitterBus()],
])('two applications over one store and %s', (_name, newBus) => {
  const modules: TestingModule[] = [];
  afterEach(() => Promise.all(modules.splice(0).map((module) => module.close())));

  const agentOf = async (
    options: { readonly bus: RunBus; readonly store: SessionStore },
    steps: readonly ScriptedStep[] = [],
  ): Promise<AgentService> => {
    const { bus, store } = options;
    const module = await Test.createTestingModule({
      imports: [
        AgentModule.forRoot({
          path: false,
          model: new ScriptedModel(steps),
          bus,
          sessions: { store },
        }),
      ],
    }).compile();
    module.useLogger(false);
    modules.push(await module.init());
    return module.get(AgentService);
  };

  it('tells a reader at the other one what the model says, before it is stored', async () => {
    const shared = { bus: newBus(), store: plainStore() };
    const barrier = new Barrier();
    const here = await agentOf(shared, [
      [{ type: 'text.delta', delta: 'Hel' }, barrier, { type: 'text.delta', delta: 'lo' }, END],
    ]);
    const there = await agentOf(shared);
    const run = await here.start({ message: 'hi' }, alice);
    const told: AgentEvent[] = [];
    for await (const event of await there.events(run.runId, alice)) {
      told.push(event);
      if (event.type === 'text.delta' && event.delta === 'Hel') {
        const { message } = await there.run(run.runId, alice);
        expect(message).toBe('');
        barrier.open();
      }
    }
    const own: AgentEvent[] = [];
    for await (const event of run.events()) own.push(event);
    expect(told).toEqual(own);
    expect(told.at(-1)).toMatchObject({ status: 'completed', message: 'Hello' });
  });

  it('stops a run for its owner at the other one, and for no one else', async () => {
    const shared = { bus: newBus(), store: plainStore() };
    const barrier = new Barrier();
    const here = await agentOf(shared, [[{ type: 'text.delta', delta: 'Hel' }, barrier]]);
    const there = await agentOf(shared);
    const run = await here.start({ message: 'hi' }, alice);
    await barrier.reached;
    const stranger = { principal: 'bob' };
    await expect(there.cancel(run.runId, stranger)).rejects.toMatchObject({
      code: 'run_not_found',
    });
    await expect(there.events(run.runId, stranger)).rejects.toMatchObject({
      code: 'run_not_found',
    });
    expect(await there.cancel(run.runId, alice)).toMatchObject({ status: 'cancelled' });
    expect(await run.finished).toMatchObject({ status: 'cancelled' });
  });

  it('answers a stop at the other one with three calls of the store: the end wakes it', async () => {
    const bus = newBus();
    const store = memoryStore();
    const asked: PropertyKey[] = [];
    const counted = new Proxy(store, {
      get: (target, key) => {
        const member = Reflect.get(target, key) as unknown;
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          asked.push(key);
          return Reflect.apply(member, target, args) as unknown;
        };
      },
    });
    const barrier = new Barrier();
    const here = await agentOf({ bus, store }, [[{ type: 'text.delta', delta: 'Hel' }, barrier]]);
    const there = await agentOf({ bus, store: counted });
    const run = await here.start({ message: 'hi' }, alice);
    await barrier.reached;
    asked.length = 0;
    expect(await there.cancel(run.runId, alice)).toMatchObject({ status: 'cancelled' });
    expect(asked).toEqual(['findByRun', 'requestStop', 'read']);
  });

  it("hands a browser's result to the run at the other one", async () => {
    const shared = { bus: newBus(), store: plainStore() };
    const here = await agentOf(shared, [
      { toolCalls: [{ id: 'c1', name: 'color', input: {} }] },
      'Blue, then.',
    ]);
    const there = await agentOf(shared);
    const frontendTools = [
      { name: 'color', description: 'Color', input_schema: { type: 'object' } } as const,
    ];
    const signals = jest.spyOn(shared.bus, 'signal');
    const run = await here.start({ message: 'hi', frontendTools }, { ...alice, frontend: 'wait' });
    let delivered: boolean | undefined;
    for await (const event of await there.events(run.runId, alice)) {
      if (event.type !== 'tool.call') continue;
      const { sessionId } = run;
      delivered = await there.deliver({
        ...alice,
        sessionId,
        callId: event.callId,
        result: 'blue',
      });
    }
    expect(delivered).toBe(true);
    expect(signals).toHaveBeenCalledWith(run.runId, {
      type: 'delivered',
      callId: expect.any(String),
    });
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Blue, then.' });
  });
});

describe('a bus that fails', () => {
  it.each(['before', 'during', 'within a reading of'])(
    'costs nothing but time: %s the run',
    async (moment) => {
      const bus = new EmitterBus();
      bus.fails = moment === 'before';
      const store = memoryStore();
      const barrier = new Barrier();
      const start = async (steps: readonly ScriptedStep[]): Promise<TestingModule> => {
        const options = { path: false, bus, sessions: { store } } as const;
        const module = await Test.createTestingModule({
          imports: [AgentModule.forRoot({ ...options, model: new ScriptedModel(steps) })],
        }).compile();
        module.useLogger(false);
        return module.init();
      };
      const [here, there] = [
        await start([[barrier, { type: 'text.delta', delta: 'x' }, END]]),
        await start([]),
      ];
      const run = await here.get(AgentService).start({ message: 'hi' }, alice);
      const events = await there.get(AgentService).events(run.runId, alice);
      const told: string[] = [];
      if (moment === 'during') bus.fails = true;
      bus.isFull = true;
      const isFollowed = jest.spyOn(bus, 'follow');
      const reading = (async () => {
        for await (const { type } of events) told.push(type);
      })();
      if (moment === 'within a reading of')
        while (isFollowed.mock.calls.length === 0) await nextTurn();
      barrier.open();
      await reading;
      expect(told.at(-1)).toBe('run.finished');
      expect(await run.finished).toMatchObject({ status: 'completed', message: 'x' });
      await Promise.all([here.close(), there.close()]);
    },
  );
});
