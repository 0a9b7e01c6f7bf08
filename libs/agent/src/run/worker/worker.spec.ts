import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { AgentModule } from '../../agent.module';
import type { AgentModuleOptions } from '../../options';
import type { AgentEvent } from '../../message';
import { defineTool, ToolRegistry } from '../../registry';
import { memoryStore } from '../../session';
import { Barrier, ScriptedModel, type ScriptedStep } from '../../testing';
import { AgentService } from '../api/agent.service';
import { memoryBus } from '../bus';
import { MemoryQueue } from '../fixtures/memory-queue';
import type { RunQueue } from '../queue';

const ALICE = { principal: 'alice' };

interface Process {
  readonly app: INestApplicationContext;
  readonly agent: AgentService;
  readonly model: ScriptedModel;
}

describe('runs that a worker executes', () => {
  const apps: INestApplicationContext[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  const shared = () => ({
    store: memoryStore(),
    bus: memoryBus(),
    queue: new MemoryQueue(),
    world: { looks: 0, writes: 0 },
  });

  const start = async (
    { store, bus, queue, world }: ReturnType<typeof shared>,
    role: RunQueue['role'],
    steps: readonly ScriptedStep[] = [],
    options: Partial<AgentModuleOptions> = {},
  ): Promise<Process> => {
    const model = new ScriptedModel(steps);
    class AppModule {}
    const { sessions, ...others } = options;
    const module = AgentModule.forRoot({
      path: false,
      model,
      bus,
      runs: queue.connect(role),
      sessions: { store, ...sessions },
      permissions: { burn: 'ask' },
      ...others,
    });
    const app = await NestFactory.createApplicationContext(
      { module: AppModule, imports: [module] },
      { logger: false },
    );
    apps.push(app);
    const registry = app.get(ToolRegistry);
    registry.register(
      defineTool({
        name: 'look',
        description: 'Look',
        readOnly: true,
        execute: () => `looks: ${(world.looks += 1)}`,
      }),
    );
    for (const name of ['write', 'burn']) {
      registry.register(
        defineTool({ name, description: name, execute: () => `writes: ${(world.writes += 1)}` }),
      );
    }
    return { app, agent: app.get(AgentService), model };
  };

  const eventsOf = async (events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> => {
    const told: AgentEvent[] = [];
    for await (const event of events) told.push(event);
    return told;
  };

  it('are accepted by one process, executed by another, and told by both', async () => {
    const all = shared();
    const web = await start(all, 'web');
    const worker = await start(all, 'worker', [
      { text: 'First I look.', toolCalls: [{ name: 'look' }, { name: 'write' }] },
      'Done.',
    ]);
    const run = await web.agent.start({ message: 'go' }, ALICE);
    const told = await eventsOf(run.events());
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Done.' });
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index + 1));
    expect(told.at(0)).toMatchObject({ type: 'run.started' });
    expect(told.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
    expect(await eventsOf(await worker.agent.events(run.runId, ALICE))).toEqual(
      told.map((event) => expect.objectContaining({ seq: event.seq, type: event.type }) as unknown),
    );
    expect(all.world).toEqual({ looks: 1, writes: 1 });
    expect(web.model.requests).toEqual([]);
    expect(await all.store.queuedRuns?.({ limit: 9 })).toEqual([]);
    expect(all.queue.jobs.size).toBe(0);
  });

  it('wait as queued, and keep their session busy', async () => {
    const all = shared();
    const web = await start(all, 'web');
    const run = await web.agent.start({ message: 'go' }, ALICE);
    expect(await web.agent.run(run.runId, ALICE)).toMatchObject({ status: 'queued' });
    const { sessionId } = run;
    await expect(web.agent.chat({ message: 'more', sessionId }, ALICE)).rejects.toMatchObject({
      code: 'session_busy',
    });
    await start(all, 'worker', ['Done.']);
    expect(await run.finished).toMatchObject({ status: 'completed' });
  });

  it('are cancelled while they wait, and while they run', async () => {
    const all = shared();
    const web = await start(all, 'web');
    const waiting = await web.agent.start({ message: 'go' }, ALICE);
    expect(await web.agent.cancel(waiting.runId, ALICE)).toMatchObject({ status: 'cancelled' });
    expect(await waiting.finished).toMatchObject({ status: 'cancelled' });
    expect(all.queue.jobs.size).toBe(0);
    const barrier = new Barrier();
    await start(all, 'worker', [[{ type: 'text.delta', delta: 'Hel' }, barrier]]);
    const running = await web.agent.start({ message: 'go' }, ALICE);
    for await (const event of running.events()) if (event.type === 'text.delta') break;
    expect(await web.agent.cancel(running.runId, ALICE)).toMatchObject({ status: 'cancelled' });
    expect(await all.store.queuedRuns?.({ limit: 9 })).toEqual([]);
  });

  it('go on in a worker after approvals', async () => {
    const all = shared();
    const web = await start(all, 'web');
    await start(all, 'worker', [{ toolCalls: [{ id: 'c1', name: 'burn' }] }, 'Burnt.']);
    const asked = await web.agent.chat({ message: 'go' }, ALICE);
    expect(asked).toMatchObject({ status: 'requires_action' });
    expect(await all.store.queuedRuns?.({ limit: 9 })).toEqual([]);
    const [action] = asked.pendingActions;
    const answer = { callId: action?.callId ?? '', type: 'approve' } as const;
    const done = await web.agent.resolve(asked.runId, [answer], ALICE);
    expect(done).toMatchObject({ status: 'completed', message: 'Burnt.' });
    expect(all.world.writes).toBe(1);
    expect(all.queue.delivered.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});
