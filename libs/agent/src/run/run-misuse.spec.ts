import type { AuditRecord } from '../invocation';
import type { AgentEvent, JsonObject } from '../message';
import { defineTool } from '../registry';
import type { Tool, ToolDefinition } from '../tool';
import { agentFixture, type AgentFixture, type FixtureOptions } from './fixtures/agent-fixture';

describe('a run that is misused', () => {
  let fixture: AgentFixture;
  const start = async (options: FixtureOptions): Promise<AgentFixture> => {
    fixture = await agentFixture(options);
    return fixture;
  };
  afterEach(async () => {
    await fixture.module.close();
  });

  const noArguments = { type: 'object', properties: {} } as const;
  const tool = (name: string, execute: () => unknown = () => 'ok'): Tool =>
    defineTool({ name, description: `The tool ${name}`, execute });
  const browserTool = (name: string): ToolDefinition => ({
    name,
    description: 'From the browser',
    input_schema: noArguments,
  });

  describe('by a model', () => {
    it('ends it at the fifth of the same calls, though all were asked for at once', async () => {
      let runs = 0;
      const toolCalls = Array.from({ length: 8 }, (_, index) => ({
        id: `c${index}`,
        name: 'poke',
      }));
      const { agent, registry } = await start({ steps: [{ toolCalls }] });
      registry.register(tool('poke', () => (runs += 1) && 'ok'));
      const result = await agent.chat({ message: 'go' });
      expect(result.stopReason).toBe('loop');
      expect(runs).toBe(4);
      expect(result.toolCalls.map(({ isError }) => isError)).toEqual([
        ...[false, false, false, false],
        ...[true, true, true, true],
      ]);
    });

    it('notices calls that are refused over and over', async () => {
      const steps = Array.from({ length: 5 }, () => ({ toolCalls: [{ name: 'nowhere' }] }));
      const { agent } = await start({ steps, options: { maxSteps: 9 } });
      const result = await agent.chat({ message: 'go' });
      expect(result.stopReason).toBe('loop');
      expect(result.toolCalls[2]?.output).toContain('Do not repeat it');
    });

    it('tells arguments apart that are broken in different ways', async () => {
      const steps = Array.from({ length: 5 }, (_, index) => ({
        toolCalls: [{ name: 'poke', malformedInput: `{${index}` }],
      }));
      const { agent, registry } = await start({
        steps: [...steps, 'Sorry.'],
        options: { maxSteps: 9 },
      });
      registry.register(tool('poke'));
      expect(await agent.chat({ message: 'go' })).toMatchObject({ stopReason: 'end_turn' });
    });

    it('refuses arguments that are nested too deep to be stored', async () => {
      let input: JsonObject = {};
      for (let level = 0; level < 20_000; level += 1) input = { a: input };
      const { agent, registry } = await start({
        steps: [{ toolCalls: [{ name: 'poke', input }] }, 'Sorry.'],
      });
      registry.register(tool('poke'));
      const result = await agent.chat({ message: 'go' });
      expect(result.status).toBe('completed');
      expect(result.toolCalls[0]?.output).toContain('nested deeper');
    });
  });

  describe('by a browser', () => {
    it('cannot put its own tool in the place of a built-in one', async () => {
      const { agent, registry } = await start({ steps: [] });
      registry.createGroup({ name: 'more', description: 'More', active: false, selectable: true });
      const frontendTools = [browserTool('reset_equipped_tools')];
      await expect(agent.chat({ message: 'go', frontendTools })).rejects.toThrow(/already/);
    });

    it("cannot put its own tool in the place of one of this run's", async () => {
      const { agent } = await start({ steps: [] });
      const frontendTools = [browserTool('lookup')];
      const chat = agent.chat({ message: 'go', frontendTools }, { tools: [tool('lookup')] });
      await expect(chat).rejects.toThrow(/already/);
    });

    it.each(['constructor', '__proto__', 'hasOwnProperty'])(
      'may name its tool %s, which means nothing here',
      async (name) => {
        const { agent } = await start({ steps: [{ toolCalls: [{ id: 'c', name }] }, 'Done.'] });
        const parked = await agent.chat({ message: 'go', frontendTools: [browserTool(name)] });
        expect(parked.pendingActions).toMatchObject([{ type: 'frontend', name }]);
      },
    );
  });

  describe('by its owner', () => {
    const alice = { principal: 'alice' };
    const waiting = async (type: 'approval' | 'frontend') => {
      const records: AuditRecord[] = [];
      let runs = 0;
      const isApproval = type === 'approval';
      const toolName = isApproval ? 'poke' : 'browse';
      const created = await start({
        steps: [{ text: 'May I?', toolCalls: [{ id: 'c1', name: toolName }] }, 'Done.'],
        permissions: { poke: 'ask' },
        audit: (record) => records.push(record),
      });
      if (isApproval) created.registry.register(tool(toolName, () => (runs += 1) && 'ok'));
      const frontendTools = isApproval ? [] : [browserTool(toolName)];
      const environmentContext = ['The page is in German'];
      const input = { message: 'go', environmentContext, frontendTools };
      const parked = await created.agent.chat(input, alice);
      expect(parked.status).toBe('requires_action');
      return { ...created, parked, records, runs: () => runs };
    };

    it('a cancelled run can be approved no more, though it was waiting', async () => {
      const { agent, parked, runs, records } = await waiting('approval');
      const { runId } = parked;
      const cancelled = await agent.cancel(runId, alice);
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        stopReason: 'cancelled',
        message: 'May I?',
        pendingActions: [],
        toolCalls: [{ id: 'c1', isError: true }],
      });
      const approve = agent.resolve(runId, [{ callId: 'c1', type: 'approve' }], alice);
      await expect(approve).rejects.toMatchObject({ code: 'already_resolved' });
      expect(runs()).toBe(0);
      expect(records).toMatchObject([{ callId: 'c1', outcome: 'interrupted' }]);
      const events: AgentEvent[] = [];
      for await (const event of await agent.events(runId, alice)) events.push(event);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'cancelled' });
      expect(await agent.chat({ message: 'on', sessionId: parked.sessionId }, alice)).toMatchObject(
        {
          message: 'Done.',
        },
      );
    });

    it.each(Array.from({ length: 16 }, (_, index) => [index]))(
      'a cancel wins over an approval, or hears that it came too late: after %s ticks',
      async (ticks) => {
        const { agent, parked, runs } = await waiting('approval');
        const { runId } = parked;
        const resolved = agent.resolve(runId, [{ callId: 'c1', type: 'approve' }], alice);
        for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
        const [approved, cancelled] = await Promise.allSettled([
          resolved,
          agent.cancel(runId, alice),
        ]);
        const { status } = await agent.run(runId, alice);
        if (cancelled.status === 'fulfilled') {
          expect(cancelled.value.status).toBe(status);
          expect(['cancelled', 'completed']).toContain(status);
        } else {
          expect(cancelled.reason).toMatchObject({ code: 'session_busy' });
          expect(approved.status).toBe('fulfilled');
        }
        expect(runs()).toBeLessThanOrEqual(1);
        if (status === 'completed') expect(runs()).toBe(1);
      },
    );

    it('a browser hears that its result came after the run was cancelled', async () => {
      const { agent } = await start({ steps: [{ toolCalls: [{ id: 'c1', name: 'browse' }] }] });
      const frontendTools = [browserTool('browse')];
      const run = await agent.start({ message: 'go', frontendTools }, { frontend: 'wait' });
      for await (const { type } of run.events()) if (type === 'frontend.call') break;
      run.cancel();
      const { sessionId } = run;
      expect(await agent.deliver({ sessionId, callId: 'c1', result: 1 })).toBe(false);
      await run.finished;
    });

    it('an approved run still knows the surroundings it began in', async () => {
      const { agent, model, parked } = await waiting('approval');
      await agent.resolve(parked.runId, [{ callId: 'c1', type: 'approve' }], alice);
      expect(model.requests.map(({ system }) => system)).toEqual([
        expect.stringContaining('The page is in German'),
        expect.stringContaining('The page is in German'),
      ]);
    });

    it('nobody else can cancel a run that waits', async () => {
      const { agent, parked } = await waiting('approval');
      for (const claim of [{}, { principal: 'bob' }, { sessionId: parked.sessionId }]) {
        const cancel = agent.cancel(parked.runId, claim);
        await expect(cancel).rejects.toMatchObject({ code: 'run_not_found' });
      }
      expect((await agent.run(parked.runId, alice)).status).toBe('requires_action');
    });

    it.each([
      ['reject', { type: 'reject', reason: 'no' }],
      ['approve, once', { type: 'approve' }],
    ] as const)('what it answered is on record: %s', async (_, answer) => {
      const { agent, parked, records } = await waiting('approval');
      await agent.resolve(parked.runId, [{ callId: 'c1', ...answer }], alice);
      const isApproved = answer.type === 'approve';
      expect(records).toMatchObject([
        {
          callId: 'c1',
          tool: 'poke',
          principal: 'alice',
          runId: parked.runId,
          outcome: isApproved ? 'executed' : 'declined',
          approval: isApproved ? 'approved' : 'declined',
        },
      ]);
    });

    it('that it sent a message instead is on record too', async () => {
      const { agent, parked, records } = await waiting('approval');
      await agent.chat({ message: 'never mind', sessionId: parked.sessionId }, alice);
      expect(records).toMatchObject([
        { callId: 'c1', runId: parked.runId, outcome: 'declined', approval: 'declined' },
      ]);
    });

    it("the browser's late results are cut and on record like any other", async () => {
      const { agent, parked, records } = await waiting('frontend');
      const result = 'x'.repeat(500_000);
      const action = { callId: 'c1', type: 'result', result } as const;
      const { toolCalls } = await agent.resolve(parked.runId, [action], alice);
      expect(toolCalls[0]?.output).toHaveLength(20_000);
      expect(records).toMatchObject([{ callId: 'c1', tool: 'browse', outcome: 'executed' }]);
    });
  });

  describe('by its application', () => {
    it('can be cancelled while a permission does not answer', async () => {
      const { agent, registry } = await start({
        steps: [{ toolCalls: [{ id: 'c1', name: 'poke' }] }],
      });
      const asked = new Promise<void>((resolve) => {
        const permission = () => {
          resolve();
          return new Promise<never>(() => undefined);
        };
        registry.register(defineTool({ ...definitionOf('poke'), permission }));
      });
      const run = await agent.start({ message: 'go' });
      await asked;
      run.cancel();
      const result = await run.finished;
      expect(result).toMatchObject({
        status: 'cancelled',
        toolCalls: [{ id: 'c1', isError: true }],
      });
    });

    it('can be closed while a prompt does not come', async () => {
      const systemPrompt = () => new Promise<never>(() => undefined);
      const { agent, module, store } = await start({ steps: [], options: { systemPrompt } });
      const acquired = new Promise<void>((resolve) => {
        const acquire = store.acquire.bind(store);
        jest.spyOn(store, 'acquire').mockImplementation(async (...args) => {
          setImmediate(resolve);
          return acquire(...args);
        });
      });
      const chat = agent.chat({ message: 'go' });
      const refused = expect(chat).rejects.toMatchObject({ code: 'interrupted' });
      await acquired;
      await module.close();
      await refused;
      jest.restoreAllMocks();
    });

    it('takes endless times for endless', async () => {
      const setTimer = jest.spyOn(globalThis, 'setTimeout');
      const setTicker = jest.spyOn(globalThis, 'setInterval');
      const { agent, registry } = await start({
        steps: [{ toolCalls: [{ id: 'c1', name: 'poke' }] }],
        permissions: { poke: 'ask' },
        options: {
          budget: { durationMs: Infinity },
          sweepEveryMs: Infinity,
          leaseMs: Infinity,
          actionTimeoutMs: Infinity,
        },
      });
      registry.register(tool('poke'));
      const parked = await agent.chat({ message: 'go' });
      expect(parked.pendingActions).toHaveLength(1);
      const times = [...setTimer.mock.calls, ...setTicker.mock.calls].map(([, ms]) => Number(ms));
      expect(times.filter((ms) => ms > 2 ** 31 - 1)).toEqual([]);
      jest.restoreAllMocks();
    });

    it('frees the session where the caller leaves while the prompt does not come', async () => {
      const leave = new AbortController();
      const systemPrompt = () => {
        leave.abort();
        return new Promise<never>(() => undefined);
      };
      const { agent, sessions } = await start({ steps: [], options: { systemPrompt } });
      const chat = agent.chat({ message: 'go' }, { principal: 'ann', signal: leave.signal });
      await expect(chat).rejects.toMatchObject({ code: 'interrupted' });
      const [session] = await sessions.list('ann');
      await sessions.revoke(session?.sessionId ?? '', 'poke', 'ann');
    });
  });

  const definitionOf = (name: string) => ({
    name,
    description: `The tool ${name}`,
    execute: () => 'ok',
  });

  it('lets its owner take a permission back after its process died', async () => {
    const { agent, store, sessions } = await start({ steps: ['Hello.'] });
    const { sessionId } = await agent.chat({ message: 'go' }, { principal: 'ann' });
    const lease = await store.acquire(sessionId, 1_000);
    const version = (await store.find(sessionId))?.version ?? 0;
    if (lease === undefined) throw new Error('The session is busy.');
    await store.append(sessionId, {
      lease,
      expectedVersion: version,
      entries: [{ type: 'run.started', runId: 'run_dead', startedAt: '2026-01-01T00:00:00Z' }],
    });
    await store.release(lease);
    await expect(sessions.revoke(sessionId, 'poke', 'ann')).resolves.toBeUndefined();
  });
});
