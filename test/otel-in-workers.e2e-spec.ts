import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Span } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import {
  AgentModule,
  type AgentModuleOptions,
  AgentService,
  memoryBus,
  memoryStore,
  type SessionStore,
  Tool,
} from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import { Barrier, memoryRuns, ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';
import { Traced } from './support/otel/traced';

const ALICE = { principal: 'alice' };
const LEASE_MS = 600;
/** How often a process looks for runs that the queue has lost. */
const SWEEP_MS = 15_000;
const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const LOOK: ScriptedStep = { toolCalls: [{ name: 'place' }], usage: USAGE };
const DONE: ScriptedStep = { text: 'Bern.', usage: USAGE };

@Injectable()
class PlaceTools {
  @Tool({ description: 'Say where we are', readOnly: true })
  place(): string {
    return 'Bern';
  }
}

type Written = Parameters<SessionStore['append']>[1];

/** A store as a process sees it that dies: from then on nothing of it reaches the store. */
class MortalStore {
  private isDead = false;

  /** @param isLast whether the process dies before it has written this */
  constructor(
    private readonly inner: SessionStore,
    private readonly isLast: (written: Written) => boolean = () => false,
  ) {}

  die(): void {
    this.isDead = true;
  }

  asStore(): SessionStore {
    return new Proxy(this.inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          if (name === 'close') return Promise.resolve();
          if (name === 'append' && this.isLast(args[1] as Written)) this.die();
          if (this.isDead) return Promise.reject(new Error('This process is dead.'));
          return Reflect.apply(member, target, args) as unknown;
        };
      },
    });
  }
}

describe('telemetry of runs in workers', () => {
  const apps: INestApplicationContext[] = [];
  let traced: Traced;
  let store: SessionStore;
  let bus: ReturnType<typeof memoryBus>;
  let queue: ReturnType<typeof memoryRuns>;
  beforeEach(() => {
    traced = Traced.start();
    store = memoryStore();
    bus = memoryBus();
    queue = memoryRuns({ role: 'web' });
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await traced.stop();
  });

  const start = async (
    role: 'web' | 'worker',
    {
      steps = [],
      mortal = new MortalStore(store),
      ...more
    }: { steps?: readonly ScriptedStep[]; mortal?: MortalStore } & Partial<AgentModuleOptions> = {},
  ) => {
    const runs = queue.peer({ role, credentials: 'none' });
    const agentModule = AgentModule.forRoot({
      path: false,
      model: new ScriptedModel(steps),
      telemetry: otel({ meterProvider: traced.meters }),
      bus,
      runs,
      audit: { record: () => undefined },
      sessions: { store: mortal.asStore(), leaseMs: LEASE_MS, compaction: false },
      ...more,
    });
    const app = await NestFactory.createApplicationContext(
      { module: class AppModule {}, imports: [agentModule], providers: [PlaceTools] },
      { logger: false },
    );
    apps.push(app);
    const kill = (): void => {
      mortal.die();
      runs.kill();
    };
    return { agent: app.get(AgentService), kill };
  };

  /** A run that a request of Alice's begins. */
  const requested = (agent: AgentService) => {
    const tracer = traced.tracers.getTracer('http');
    return tracer.startActiveSpan('POST /chat', async (span: Span) => {
      const run = await agent.start({ message: 'Where are we?' }, ALICE);
      span.end();
      return run;
    });
  };

  const tokens = async () => {
    const points = await traced.metrics();
    const of = (type: string) =>
      points
        .filter(({ name }) => name === `gen_ai.client.inference.usage.${type}_tokens`)
        .reduce((sum, { value }) => sum + value, 0);
    return { inputTokens: of('input'), outputTokens: of('output') };
  };

  it('is one tree after a kill: each part is below the request that the run began with', async () => {
    const web = await start('web');
    const reached = new Barrier();
    const first = await start('worker', { steps: [LOOK, [reached]] });
    const run = await requested(web.agent);
    await reached.reached;
    first.kill();
    await start('worker', { steps: [DONE] });
    const { status, usage } = await run.finished;
    expect([status, usage.inputTokens]).toEqual(['completed', 20]);
    while (!traced.spans.some(isWhole)) await new Promise(setImmediate);
    const request = traced.span('POST /chat').spanContext();
    const all = [...traced.spans, ...([...traced.open] as unknown as ReadableSpan[])];
    const parts = all.filter(({ name }) => name === 'invoke_agent agent');
    expect(parts).toHaveLength(2);
    for (const part of parts) {
      expect(part.spanContext().traceId).toBe(request.traceId);
      expect(part.parentSpanContext?.spanId).toBe(request.spanId);
      expect(part.links).toEqual([]);
      expect(part.attributes['nestjs_agent.run.id']).toBe(run.runId);
    }
    const above = new Set(parts.map((part) => part.spanContext().spanId));
    const below = all.filter((span) => /^(?:chat|execute_tool) /.test(span.name));
    expect(below.map(({ name }) => name).toSorted()).toEqual([
      'chat scripted',
      'chat scripted',
      'chat scripted',
      'execute_tool place',
    ]);
    for (const { parentSpanContext: parent } of below) {
      expect(above).toContain(parent?.spanId);
    }
    reached.open();
  });

  it('is below the request that answered, linked to the part before the wait', async () => {
    const permissions = { place: 'ask' } as const;
    const web = await start('web', { permissions });
    await start('worker', { permissions, steps: [LOOK, DONE] });
    const waiting = await requested(web.agent);
    const { pendingActions = [] } = await waiting.finished;
    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' as const }));
    expect(actions).toHaveLength(1);
    await traced.tracers.getTracer('http').startActiveSpan('POST /actions', async (span: Span) => {
      const run = await web.agent.resume(waiting.runId, actions, ALICE);
      span.end();
      expect(await run.finished).toMatchObject({ status: 'completed' });
    });
    while (!traced.spans.some(isWhole)) await new Promise(setImmediate);
    const parts = traced.spans.filter(({ name }) => name === 'invoke_agent agent');
    expect(parts.map(({ parentSpanContext: parent }) => parent?.spanId)).toEqual(
      ['POST /chat', 'POST /actions'].map((name) => traced.span(name).spanContext().spanId),
    );
    const { traceId, spanId } = parts[0]!.spanContext();
    const linked = parts.map(({ links }) => links.map((link) => link.context));
    expect(linked).toMatchObject([[], [{ traceId, spanId }]]);
  });

  it('counts the tokens of a step once that is repeated, because it was never stored', async () => {
    const web = await start('web');
    const isStep = ({ entries }: Written): boolean =>
      entries.some((entry) => (entry as { type: string }).type === 'step.finished');
    const mortal = new MortalStore(store, isStep);
    const first = await start('worker', { steps: [LOOK], mortal });
    const run = await requested(web.agent);
    while (!traced.spans.some(({ name }) => name === 'chat scripted')) {
      await new Promise(setImmediate);
    }
    first.kill();
    await start('worker', { steps: [LOOK, DONE] });
    const { status, usage } = await run.finished;
    expect(status).toBe('completed');
    const { inputTokens, outputTokens } = usage;
    expect({ inputTokens, outputTokens }).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(await tokens()).toEqual({ inputTokens, outputTokens });
  });

  it('makes no spans of sweeps, which add lost jobs and end runs that wait too long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const web = await start('web', { limits: { queueTimeoutMs: 120_000 } });
      const run = await web.agent.start({ message: 'Hi' }, ALICE);
      queue.lose();
      await jest.advanceTimersByTimeAsync(SWEEP_MS);
      expect(queue.jobs().map(({ job }) => job.runId)).toEqual([run.runId]);
      await jest.advanceTimersByTimeAsync(120_000 + SWEEP_MS);
      expect(await run.finished).toMatchObject({ error: { code: 'queue_timeout' } });
    } finally {
      jest.useRealTimers();
    }
    expect([traced.lines, traced.open.size]).toEqual([[], 0]);
  });

  it('counts runs that are refused by their reasons', async () => {
    const web = await start('web', { limits: { queued: 2 } });
    const { sessionId } = await requested(web.agent);
    const again = web.agent.start({ message: 'And now?', sessionId }, ALICE);
    await expect(again).rejects.toMatchObject({ code: 'session_busy' });
    await web.agent.start({ message: 'Hi' }, { principal: 'bob' });
    for (const principal of ['cid', 'eve']) {
      const full = web.agent.start({ message: 'Hi' }, { principal });
      await expect(full).rejects.toMatchObject({ code: 'queue_full' });
    }
    const refused = (await traced.metrics())
      .filter(({ name }) => name === 'nestjs_agent.runs.refused')
      .map(({ value, attributes }) => [attributes['nestjs_agent.reason'], value]);
    expect(Object.fromEntries(refused)).toEqual({ session_busy: 1, queue_full: 2 });
  });
});

/** Whether it is the span of a run that ended well. */
function isWhole({ name, attributes }: ReadableSpan): boolean {
  return name === 'invoke_agent agent' && attributes['nestjs_agent.status'] === 'completed';
}
