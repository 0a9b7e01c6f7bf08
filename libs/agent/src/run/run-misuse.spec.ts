import type { AuditRecord } from '../invocation';
import type { JsonObject } from '../message';
import { defineTool } from '../registry';
import type { Tool, ToolDefinition } from '../tool';
import { allOf } from './fixtures/all-of';
import { agentFixture, type AgentFixture } from './fixtures/agent-fixture';

describe('a run that is misused', () => {
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
      const { agent, registry } = await agentFixture({ steps: [{ toolCalls }] });
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
      const { agent } = await agentFixture({ steps, options: { maxSteps: 9 } });
      const result = await agent.chat({ message: 'go' });
      expect(result.stopReason).toBe('loop');
      expect(result.toolCalls[2]?.output).toContain('Do not repeat it');
    });

    it.each([
      ['approved', { type: 'approve' }],
      ['rejected', { type: 'reject' }],
    ] as const)('notices calls that are %s over and over, across requests', async (_, answer) => {
      const steps = Array.from({ length: 5 }, (__, index) => ({
        toolCalls: [{ id: `c${index}`, name: 'poke' }],
      }));
      let runs = 0;
      const { agent, registry } = await agentFixture({
        steps,
        options: { maxSteps: 9 },
        permissions: { poke: 'ask' },
      });
      registry.register(tool('poke', () => (runs += 1) && 'ok'));
      let result = await agent.chat({ message: 'go' }, { principal: 'alice' });
      while (result.status === 'requires_action') {
        const actions = result.pendingActions.map(({ callId }) => ({ callId, ...answer }));
        result = await agent.resolve(result.runId, actions, { principal: 'alice' });
      }
      expect(result).toMatchObject({ status: 'completed', stopReason: 'loop' });
      expect(runs).toBe(answer.type === 'approve' ? 4 : 0);
      const hinted = result.toolCalls.map(({ output }) =>
        JSON.stringify(output).includes('Do not repeat it'),
      );
      expect(hinted).toEqual([false, false, true, true, false]);
    });

    it('notices what a browser is asked over and over', async () => {
      const steps = Array.from({ length: 5 }, (_, index) => ({
        toolCalls: [{ id: `c${index}`, name: 'browse' }],
      }));
      const { agent } = await agentFixture({ steps, options: { maxSteps: 9 } });
      const alice = { principal: 'alice', frontendTools: [browserTool('browse')] };
      let result = await agent.chat({ message: 'go', frontendTools: alice.frontendTools }, alice);
      while (result.status === 'requires_action') {
        const [action] = result.pendingActions;
        const answer = { callId: action?.callId ?? '', type: 'result', result: 'seen' } as const;
        result = await agent.resolve(result.runId, [answer], alice);
      }
      expect(result.stopReason).toBe('loop');
      expect(result.toolCalls[3]?.output).toContain('Do not repeat it');
    });

    it('uses no writing tool where that is left to the client, though it knows its name', async () => {
      const records: AuditRecord[] = [];
      let writes = 0;
      const { agent, model, registry } = await agentFixture({
        steps: [{ toolCalls: [{ name: 'write' }, { name: 'read' }] }, 'Done.'],
        audit: (record) => records.push(record),
      });
      registry.register(tool('write', () => (writes += 1) && 'written'));
      registry.register(defineTool({ ...definitionOf('read'), readOnly: true }));
      const { finished } = await agent.complete({
        messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
        clientTools: [browserTool('mine')],
      });
      expect((await finished).toolCalls.map(({ isError }) => isError)).toEqual([true, false]);
      expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['read', 'mine']);
      expect(writes).toBe(0);
      expect(records).toMatchObject([
        { tool: 'write', outcome: 'declined', errorCode: 'not_offered' },
        { tool: 'read', outcome: 'executed' },
      ]);
    });

    it('tells arguments apart that are broken in different ways', async () => {
      const steps = Array.from({ length: 5 }, (_, index) => ({
        toolCalls: [{ name: 'poke', malformedInput: `{${index}` }],
      }));
      const { agent, registry } = await agentFixture({
        steps: [...steps, 'Sorry.'],
        options: { maxSteps: 9 },
      });
      registry.register(tool('poke'));
      expect(await agent.chat({ message: 'go' })).toMatchObject({ stopReason: 'end_turn' });
    });

    it('refuses arguments that are nested too deep to be stored', async () => {
      let input: JsonObject = {};
      for (let level = 0; level < 20_000; level += 1) input = { a: input };
      const { agent, registry } = await agentFixture({
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
      const { agent, registry } = await agentFixture({ steps: [] });
      registry.createGroup({ name: 'more', description: 'More', active: false, selectable: true });
      const frontendTools = [browserTool('reset_equipped_tools')];
      await expect(agent.chat({ message: 'go', frontendTools })).rejects.toThrow(/already/);
    });

    it("cannot put its own tool in the place of one of this run's", async () => {
      const { agent } = await agentFixture({ steps: [] });
      const frontendTools = [browserTool('lookup')];
      const chat = agent.chat({ message: 'go', frontendTools }, { tools: [tool('lookup')] });
      await expect(chat).rejects.toThrow(/already/);
    });

    it('cannot take a name that presets speak of', async () => {
      const { agent } = await agentFixture({ presets: { transfer: { tenant: 'secret' } } });
      const frontendTools = [browserTool('transfer')];
      await expect(agent.chat({ message: 'go', frontendTools })).rejects.toThrow(/already/);
    });

    it.each(['constructor', '__proto__', 'hasOwnProperty'])(
      'may name its tool %s, which means nothing here',
      async (name) => {
        const { agent } = await agentFixture({
          steps: [{ toolCalls: [{ id: 'c', name }] }, 'Done.'],
        });
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
      const created = await agentFixture({
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
      const events = await allOf(await agent.events(runId, alice));
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
      const { agent } = await agentFixture({
        steps: [{ toolCalls: [{ id: 'c1', name: 'browse' }] }],
      });
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

    it('its readers hear of each result once, however often it waits', async () => {
      const steps = Array.from({ length: 3 }, (_, index) => ({
        toolCalls: [{ id: `c${index}`, name: 'poke', input: {} }],
      }));
      const { agent, registry } = await agentFixture({
        steps: [...steps, 'Done.'],
        permissions: { poke: 'ask' },
      });
      registry.register(tool('poke'));
      let result = await agent.chat({ message: 'go' }, alice);
      for (const type of ['approve', 'reject', 'approve'] as const) {
        const callId = result.pendingActions[0]?.callId ?? '';
        result = await agent.resolve(result.runId, [{ callId, type }], alice);
      }
      expect(result.status).toBe('completed');
      const told: string[] = [];
      for await (const event of await agent.events(result.runId, alice)) {
        if (event.type === 'tool.result') told.push(event.callId);
      }
      expect(told).toEqual(['c0', 'c1', 'c2']);
    });

    it('a cancel tells of the calls that were answered before, too', async () => {
      const { agent, registry } = await agentFixture({
        steps: [{ toolCalls: ['c1', 'c2', 'c3'].map((id) => ({ id, name: 'poke' })) }],
        permissions: { poke: 'ask' },
      });
      registry.register(tool('poke'));
      const { runId } = await agent.chat({ message: 'go' }, alice);
      await agent.resolve(runId, [{ callId: 'c2', type: 'reject' }], alice);
      await agent.cancel(runId, alice);
      const told: string[] = [];
      for await (const event of await agent.events(runId, alice)) {
        if (event.type === 'tool.result') told.push(event.callId);
      }
      expect(told.sort()).toEqual(['c1', 'c2', 'c3']);
    });

    it.each(['a tool of this chat', 'a built-in tool', 'a browser tool', 'a tool that destroys'])(
      'what it allows for the rest of the session holds for %s, unless that destroys',
      async (kind) => {
        const { agent, registry, model } = await agentFixture({
          permissions: { own: 'ask', reset_equipped_tools: 'ask', browse: 'ask', drop: 'ask' },
        });
        registry.createGroup({ name: 'more', description: '-', active: false, selectable: true });
        const drop = { name: 'drop', description: 'Drop', destructive: true, execute: () => 'ok' };
        registry.register(defineTool(drop));
        const call = {
          'a tool of this chat': { name: 'own' },
          'a built-in tool': { name: 'reset_equipped_tools', input: { to_activate: ['more'] } },
          'a browser tool': { name: 'browse' },
          'a tool that destroys': { name: 'drop' },
        }[kind] ?? { name: '' };
        model.push({ toolCalls: [call] }, 'Done.', { toolCalls: [call] }, 'Done.');
        const frontendTools = [browserTool('browse')];
        const options = { ...alice, frontendTools, tools: [tool('own')] };
        const asked = await agent.chat({ message: 'go', frontendTools }, options);
        const [action] = asked.pendingActions;
        const callId = action?.callId ?? '';
        expect(action?.type).toBe('approval');
        const approve = [{ callId, type: 'approve', remember: true }] as const;
        const approved = await agent.resolve(asked.runId, approve, options);
        if (approved.status === 'requires_action') {
          await agent.resolve(asked.runId, [{ callId, type: 'result', result: 1 }], options);
        }
        const { sessionId } = asked;
        const again = await agent.chat({ message: 'again', sessionId, frontendTools }, options);
        const asksAgain = again.pendingActions.some(({ type }) => type === 'approval');
        expect(asksAgain).toBe(kind === 'a tool that destroys');
      },
    );

    it('can cancel while its edit is being checked', async () => {
      let asked = 0;
      const { agent, registry } = await agentFixture({
        steps: [{ toolCalls: [{ id: 'c1', name: 'poke' }] }],
      });
      let reached!: () => void;
      const isChecked = new Promise<void>((resolve) => (reached = resolve));
      const permission = () => {
        asked += 1;
        if (asked === 1) return 'ask' as const;
        reached();
        return new Promise<never>(() => undefined);
      };
      registry.register(defineTool({ ...definitionOf('poke'), permission }));
      const { runId } = await agent.chat({ message: 'go' }, alice);
      const resolved = agent.resolve(runId, [{ callId: 'c1', type: 'approve', input: {} }], alice);
      const refused = expect(resolved).rejects.toMatchObject({ code: 'interrupted' });
      await isChecked;
      expect(await agent.cancel(runId, alice)).toMatchObject({ status: 'cancelled' });
      await refused;
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

    it.each([
      [
        'its result',
        async ({ agent }: AgentFixture, runId: string) => {
          const result = { callId: 'c1', type: 'result', result: 'seen' } as const;
          await agent.resolve(runId, [result], alice);
        },
        'executed',
      ],
      [
        'a cancel',
        ({ agent }: AgentFixture, runId: string) => agent.cancel(runId, alice),
        'interrupted',
      ],
      [
        'a message',
        ({ agent }: AgentFixture, _: string, sessionId: string) =>
          agent.chat({ message: 'never mind', sessionId }, alice),
        'declined',
      ],
    ] as const)(
      'that it approved what the browser does is on record with %s',
      async (_, end, outcome) => {
        const records: AuditRecord[] = [];
        const created = await agentFixture({
          steps: [{ toolCalls: [{ id: 'c1', name: 'browse' }] }, 'Done.'],
          permissions: { browse: 'ask' },
          audit: (record) => records.push(record),
        });
        const frontendTools = [browserTool('browse')];
        const asked = await created.agent.chat({ message: 'go', frontendTools }, alice);
        const approve = [{ callId: 'c1', type: 'approve' }] as const;
        const handed = await created.agent.resolve(asked.runId, approve, {
          ...alice,
          frontendTools,
        });
        expect(handed.pendingActions).toMatchObject([{ type: 'frontend', callId: 'c1' }]);
        await end(created, asked.runId, asked.sessionId);
        expect(records).toMatchObject([{ callId: 'c1', outcome, approval: 'approved' }]);
      },
    );

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
    const transfer = () =>
      defineTool({
        name: 'transfer',
        description: 'Transfer money',
        input: {
          type: 'object',
          properties: { to: { type: 'string' }, tenant: { type: 'string' } },
          required: ['to', 'tenant'],
        },
        execute: ({ tenant }) => (tenant === 'the secret tenant' ? 'sent' : 'from nobody'),
      });

    it('presets hold for a tool that comes with one chat, and are told to nobody', async () => {
      const records: AuditRecord[] = [];
      const { agent, model, store } = await agentFixture({
        steps: [{ toolCalls: [{ name: 'transfer', input: { to: 'bob' } }] }, 'Sent.'],
        presets: { transfer: { tenant: 'the secret tenant' } },
        audit: (record) => records.push(record),
      });
      const result = await agent.chat({ message: 'go' }, { tools: [transfer()] });
      expect(result.toolCalls).toMatchObject([{ output: 'sent' }]);
      expect(model.requests[0]?.tools[0]?.input_schema.properties).toEqual({
        to: { type: 'string' },
      });
      const told = [result, records, model.requests, await store.read(result.sessionId)];
      expect(JSON.stringify(told)).not.toContain('the secret tenant');
    });

    it('presets that do not fit such a tool refuse the chat before it begins', async () => {
      const { agent, model, store } = await agentFixture({ presets: { transfer: { amount: 1 } } });
      const chat = agent.chat({ message: 'go' }, { tools: [transfer()] });
      await expect(chat).rejects.toMatchObject({ code: 'invalid_tool' });
      expect(model.requests).toEqual([]);
      expect(await store.count()).toBe(0);
    });

    it('can be cancelled while a permission does not answer', async () => {
      const { agent, registry } = await agentFixture({
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
      const { agent, module, store } = await agentFixture({ steps: [], options: { systemPrompt } });
      const acquired = new Promise<void>((resolve) => {
        const acquireNew = store.acquireNew?.bind(store);
        store.acquireNew = async (...args) => {
          setImmediate(resolve);
          if (!acquireNew) throw new Error('The store in memory has all methods.');
          return acquireNew(...args);
        };
      });
      const chat = agent.chat({ message: 'go' });
      const refused = expect(chat).rejects.toMatchObject({ code: 'interrupted' });
      await acquired;
      await module.close();
      await refused;
    });

    it.each(['clear', 'clearAll'] as const)(
      'can remove a session (%s) while the prompt of its run does not come',
      async (removal) => {
        let ask: () => void = () => undefined;
        const asked = new Promise<void>((resolve) => (ask = resolve));
        let prompts = 0;
        const systemPrompt = () => {
          if ((prompts += 1) === 1) return '';
          ask();
          return new Promise<never>(() => undefined);
        };
        const { agent, sessions } = await agentFixture({
          steps: ['Hello.'],
          options: { systemPrompt },
        });
        const { sessionId } = await agent.chat({ message: 'go' }, { principal: 'ann' });
        const chat = agent.chat({ message: 'go', sessionId }, { principal: 'ann' });
        const refused = jest.fn();
        chat.catch(refused);
        await asked;
        if (removal === 'clear') await sessions.clear(sessionId, 'ann');
        else await sessions.clearAll('ann');
        await new Promise(setImmediate);
        expect(refused).toHaveBeenCalledWith(expect.objectContaining({ code: 'interrupted' }));
        expect(await sessions.list('ann')).toEqual([]);
      },
    );

    it('takes endless times for endless', async () => {
      const setTimer = jest.spyOn(globalThis, 'setTimeout');
      const setTicker = jest.spyOn(globalThis, 'setInterval');
      const { agent, registry } = await agentFixture({
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
      let prompts = 0;
      const systemPrompt = () => {
        if ((prompts += 1) === 1) return '';
        leave.abort();
        return new Promise<never>(() => undefined);
      };
      const { agent, sessions } = await agentFixture({
        steps: ['Hello.'],
        options: { systemPrompt },
      });
      const { sessionId } = await agent.chat({ message: 'go' }, { principal: 'ann' });
      const chat = agent.chat(
        { message: 'go', sessionId },
        { principal: 'ann', signal: leave.signal },
      );
      await expect(chat).rejects.toMatchObject({ code: 'interrupted' });
      await sessions.revoke(sessionId, 'poke', 'ann');
    });

    it('does not wait for ever for the prompt, with the session locked', async () => {
      jest.useFakeTimers();
      const systemPrompt = () => new Promise<never>(() => undefined);
      const { agent } = await agentFixture({ options: { systemPrompt } });
      const chat = agent.chat({ message: 'go' });
      const refused = expect(chat).rejects.toThrow('systemPrompt did not answer in time.');
      await jest.advanceTimersByTimeAsync(60_000);
      await refused;
      jest.useRealTimers();
    });

    it('leaves no session behind where the run does not begin', async () => {
      const systemPrompt = () => Promise.reject(new Error('No prompt today.'));
      const { agent, sessions } = await agentFixture({ options: { systemPrompt } });
      await expect(agent.chat({ message: 'go' }, { principal: 'ann' })).rejects.toThrow('today');
      expect(await sessions.list('ann')).toEqual([]);
    });
  });

  const definitionOf = (name: string) => ({
    name,
    description: `The tool ${name}`,
    execute: () => 'ok',
  });

  it('lets its owner take a permission back after its process died', async () => {
    const { agent, store, sessions } = await agentFixture({ steps: ['Hello.'] });
    const { sessionId } = await agent.chat({ message: 'go' }, { principal: 'ann' });
    const lease = await store.acquire(sessionId, 1_000);
    const version = (await store.find(sessionId))?.version ?? 0;
    if (lease === undefined) throw new Error('The session is busy.');
    await store.append(sessionId, {
      lease,
      expectedVersion: version,
      entries: [
        {
          v: 1,
          seq: 1,
          type: 'run.started',
          runId: 'run_dead',
          modelName: 'scripted',
          startedAt: '2026-01-01T00:00:00Z',
        },
      ],
    });
    await store.release(lease);
    await expect(sessions.revoke(sessionId, 'poke', 'ann')).resolves.toBeUndefined();
  });
});
