import { Logger } from '@nestjs/common';
import { lastValueFrom, toArray } from 'rxjs';
import type { AgentEvent } from '../../message';
import { ModelError } from '../../model';
import { defineTool } from '../../registry';
import { Barrier, ScriptedModel } from '../../testing';
import type { ChatResult } from '../request/chat-result';
import { allOf } from '../fixtures/all-of';
import { agentFixture, type AgentFixture } from '../fixtures/agent-fixture';
import { MAX_STEPS_MESSAGE } from '../request/run.constants';

describe('AgentService', () => {
  const add = defineTool({
    name: 'add',
    description: 'Add two numbers',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    readOnly: true,
    execute: ({ a, b }) => Number(a) + Number(b),
  });

  const typesOf = (events: readonly AgentEvent[]): readonly string[] =>
    events.map(({ type }) => type);

  /** Calls `act` after the actions have expired. */
  const after = async <T>(actions: ChatResult['pendingActions'], act: () => Promise<T>) => {
    const expiry = Math.max(...actions.map(({ expiresAt }) => Date.parse(expiresAt)));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(expiry + 1);
    try {
      return await act();
    } finally {
      clock.mockRestore();
    }
  };

  it('answers with text', async () => {
    const { agent, model } = await agentFixture({ steps: ['Good day.'] });
    const result = await agent.chat({ message: 'Hello' });
    expect(result).toMatchObject({
      status: 'completed',
      stopReason: 'end_turn',
      message: 'Good day.',
      toolCalls: [],
      pendingActions: [],
      usage: { totalTokens: 15 },
      tokensUsed: 15,
    });
    expect(model.requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ]);
    model.assertComplete();
  });

  it('runs a tool and shows the model its result', async () => {
    const { agent, model, registry } = await agentFixture({
      steps: [
        { text: 'Let me see.', toolCalls: [{ id: 'c1', name: 'add', input: { a: 2, b: 40 } }] },
        'It is 42.',
      ],
    });
    registry.register(add);
    const result = await agent.chat({ message: '2 and 40?' });
    expect(result.message).toBe('It is 42.');
    expect(result.toolCalls).toEqual([
      {
        id: 'c1',
        name: 'add',
        input: { a: 2, b: 40 },
        output: '42',
        isError: false,
        durationMs: expect.any(Number),
      },
    ]);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'c1', name: 'add', input: { a: 2, b: 40 } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: '42', is_error: false }],
      },
    ]);
  });

  it('offers no tools to a model that says that it calls none, and says so at boot', async () => {
    const plain = new ScriptedModel(['Hello.'], { name: 'plain', capabilities: { tools: false } });
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const { agent, registry, model } = await agentFixture({ steps: ['Hello.'], models: { plain } });
    expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/"plain".*react\(model\)/)]);
    warn.mockRestore();
    registry.register(add);
    await agent.chat({ message: 'Hello', model: 'plain' });
    await agent.chat({ message: 'Hello' });
    expect(plain.requests[0]?.tools).toEqual([]);
    expect(model.requests[0]?.tools).toMatchObject([{ name: 'add' }]);
  });

  it('streams numbered events, from run.started to run.finished', async () => {
    const { agent, registry } = await agentFixture({
      steps: [{ toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] }, 'Three.'],
    });
    registry.register(add);
    const events = await lastValueFrom(agent.stream({ message: 'go' }).pipe(toArray()));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(typesOf(events).filter((type) => !type.endsWith('.delta'))).toEqual([
      'run.started',
      'step.started',
      'step.finished',
      'tool.call',
      'tool.result',
      'step.started',
      'step.finished',
      'run.finished',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'completed', message: 'Three.' });
  });

  it('continues a session', async () => {
    const { agent, model } = await agentFixture({ steps: ['One.', 'Two.'] });
    const { sessionId } = await agent.chat({ message: 'first' });
    await agent.chat({ message: 'second', sessionId });
    expect(model.requests[1]?.messages).toHaveLength(3);
  });

  it("answers 'no such session' for somebody else's session", async () => {
    const { agent } = await agentFixture({ steps: ['One.'] });
    const { sessionId } = await agent.chat({ message: 'first' }, { principal: 'alice' });
    const stranger = agent.chat({ message: 'mine?', sessionId }, { principal: 'bob' });
    await expect(stranger).rejects.toMatchObject({ code: 'session_not_found' });
    const nobody = agent.chat({ message: 'mine?', sessionId });
    await expect(nobody).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('never adopts an anonymous session on login', async () => {
    const { agent } = await agentFixture({ steps: ['One.'] });
    const { sessionId } = await agent.chat({ message: 'first' });
    const login = agent.chat({ message: 'mine', sessionId }, { principal: 'alice' });
    await expect(login).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('refuses a second message while a run is under way, and takes it afterwards', async () => {
    const barrier = new Barrier();
    const { agent } = await agentFixture({ steps: [[barrier], 'Next.'] });
    const run = await agent.start({ message: 'first' });
    await barrier.reached;
    const second = agent.chat({ message: 'second', sessionId: run.sessionId });
    await expect(second).rejects.toMatchObject({ code: 'session_busy' });
    barrier.open();
    expect((await run.finished).status).toBe('failed');
    const third = await agent.chat({ message: 'third', sessionId: run.sessionId });
    expect(third.message).toBe('Next.');
  });

  it('stops after maxSteps with the documented message', async () => {
    const call = { toolCalls: [{ name: 'add', input: { a: 1, b: 1 } }] };
    const other = { toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] };
    const { agent, registry, store } = await agentFixture({
      steps: [call, other],
      options: { maxSteps: 2 },
    });
    registry.register(add);
    const result = await agent.chat({ message: 'go' });
    expect(result).toMatchObject({
      status: 'completed',
      stopReason: 'max_steps',
      message: MAX_STEPS_MESSAGE,
    });
    const stored = await store.read(result.sessionId);
    expect(stored.map(({ entry }) => entry.type).at(-1)).toBe('run.finished');
  });

  it('stops after one step where maxSteps is no number', async () => {
    const call = { toolCalls: [{ name: 'add', input: { a: 1, b: 1 } }] };
    const { agent, registry } = await agentFixture({
      steps: [call, call],
      options: { maxSteps: NaN },
    });
    registry.register(add);
    expect((await agent.chat({ message: 'go' })).stopReason).toBe('max_steps');
  });

  it('a failing model ends the run, and the session goes on', async () => {
    const { agent } = await agentFixture({
      steps: [
        [
          { type: 'text.delta', delta: 'Half an ans' },
          new ModelError('model_unavailable', 'The model cannot be reached.'),
        ],
        'Back again.',
      ],
    });
    const failed = await agent.chat({ message: 'first' });
    expect(failed).toMatchObject({
      status: 'failed',
      stopReason: 'error',
      message: 'Half an ans',
      error: {
        code: 'model_unavailable',
        message: 'The model cannot be reached.',
        httpStatus: 502,
      },
    });
    const next = await agent.chat({ message: 'second', sessionId: failed.sessionId });
    expect(next.message).toBe('Back again.');
  });

  it('keeps the calls of an answer that broke off, and never runs them', async () => {
    let runs = 0;
    const { agent, registry, model } = await agentFixture({
      steps: [
        [
          { type: 'text.delta', delta: 'I will' },
          { type: 'tool_use', id: 'w1', name: 'write', input: {} },
          new ModelError('model_unavailable', 'The connection broke.'),
        ],
        'Sorry.',
      ],
    });
    const write = { name: 'write', description: 'Write', execute: () => (runs += 1) };
    registry.register(defineTool(write));
    const failed = await agent.chat({ message: 'go' });
    expect(failed).toMatchObject({ status: 'failed', toolCalls: [{ id: 'w1', isError: true }] });
    await agent.chat({ message: 'again', sessionId: failed.sessionId });
    expect(runs).toBe(0);
    expect(model.requests[1]?.messages[2]?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'w1', is_error: true },
    ]);
  });

  it('cancels at once, keeps the partial text, and the session goes on', async () => {
    const barrier = new Barrier();
    const { agent, model, sessions } = await agentFixture({
      steps: [[{ type: 'text.delta', delta: 'Once upon' }, barrier], 'Hello again.'],
    });
    const run = await agent.start({ message: 'a story' });
    await barrier.reached;
    const cancelled = await agent.cancel(run.runId, { sessionId: run.sessionId });
    expect(cancelled).toMatchObject({ status: 'cancelled', message: 'Once upon' });
    const messages = await sessions.transcript(run.sessionId);
    expect(messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'Once upon' }],
      partial: true,
    });
    await agent.chat({ message: 'hi', sessionId: run.sessionId });
    model.assertComplete();
  });

  it("a stranger cannot cancel or see somebody else's run", async () => {
    const barrier = new Barrier();
    const { agent } = await agentFixture({ steps: [[barrier]] });
    const run = await agent.start({ message: 'mine' }, { principal: 'alice' });
    await barrier.reached;
    for (const claim of [{ principal: 'bob' }, {}, { sessionId: run.sessionId }]) {
      await expect(agent.cancel(run.runId, claim)).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(agent.run(run.runId, claim)).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(agent.events(run.runId, claim)).rejects.toMatchObject({ code: 'run_not_found' });
    }
    expect((await agent.cancel(run.runId, { principal: 'alice' })).status).toBe('cancelled');
  });

  it('a cancelled tool call has its result before the next model call', async () => {
    const barrier = new Barrier();
    const { agent, model, registry } = await agentFixture({
      steps: [{ toolCalls: [{ id: 'slow1', name: 'slow' }] }, 'Fine.'],
    });
    registry.register(
      defineTool({
        name: 'slow',
        description: 'Takes its time',
        execute: async () => {
          await barrier.pass();
          return 'late';
        },
      }),
    );
    const run = await agent.start({ message: 'go' });
    await barrier.reached;
    expect((await agent.cancel(run.runId, { sessionId: run.sessionId })).status).toBe('cancelled');
    barrier.open();
    await agent.chat({ message: 'and now?', sessionId: run.sessionId });
    const history = model.requests[1]?.messages ?? [];
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
    expect(history[2]?.content).toEqual([
      expect.objectContaining({ type: 'tool_result', tool_use_id: 'slow1', is_error: true }),
    ]);
  });

  it('closing the application cancels runs and stores them as failed', async () => {
    const barrier = new Barrier();
    const { agent, module, store } = await agentFixture({ steps: [[barrier]] });
    const run = await agent.start({ message: 'go' });
    await barrier.reached;
    await module.close();
    expect(await run.finished).toMatchObject({ status: 'failed', error: { code: 'shutdown' } });
    const entries = await store.read(run.sessionId);
    expect(entries.at(-1)?.entry).toMatchObject({ type: 'run.finished', status: 'failed' });
  });

  it('tells the model what is wrong with its arguments, with a JSON pointer', async () => {
    const { agent, model, registry } = await agentFixture({
      steps: [{ toolCalls: [{ name: 'add', input: { a: 'x' } }] }, 'Sorry.'],
    });
    registry.register(add);
    const { toolCalls } = await agent.chat({ message: 'go' });
    expect(toolCalls[0]).toMatchObject({ isError: true });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('/a');
  });

  it('limits the runs of one principal', async () => {
    const barrier = new Barrier();
    const { agent } = await agentFixture({ steps: [[barrier]], options: { runsPerPrincipal: 1 } });
    const run = await agent.start({ message: 'one' }, { principal: 'alice' });
    await barrier.reached;
    const second = agent.chat({ message: 'two' }, { principal: 'alice' });
    await expect(second).rejects.toMatchObject({ code: 'too_many_runs' });
    run.cancel();
    await run.finished;
  });

  it('ends a run whose budget of tokens is used up', async () => {
    const { agent, registry } = await agentFixture({
      steps: [{ toolCalls: [{ name: 'add', input: { a: 1, b: 1 } }] }],
      options: { budget: { totalTokens: 10 } },
    });
    registry.register(add);
    const result = await agent.chat({ message: 'go' });
    expect(result).toMatchObject({ status: 'completed', stopReason: 'budget' });
    expect(result.toolCalls).toHaveLength(1);
  });

  it('ends a run whose budget of tool calls is used up, with a result for every call', async () => {
    const calls = [1, 2, 3].map((n) => ({ id: `c${n}`, name: 'add', input: { a: n, b: n } }));
    const { agent, registry } = await agentFixture({
      steps: [{ toolCalls: calls }],
      options: { budget: { toolCalls: 2 } },
    });
    registry.register(add);
    const result = await agent.chat({ message: 'go' });
    expect(result.stopReason).toBe('budget');
    expect(result.toolCalls.map(({ isError }) => isError)).toEqual([false, false, true]);
  });

  describe('approvals', () => {
    const asking = async (count = 1): Promise<{ runs: string[] } & AgentFixture> => {
      const runs: string[] = [];
      const calls = Array.from({ length: count }, (_, index) => ({
        id: `c${index + 1}`,
        name: 'remove',
        input: { id: index + 1 },
      }));
      const created = await agentFixture({
        steps: [
          {
            text: 'May I?',
            toolCalls: [...calls, { id: 'r', name: 'add', input: { a: 1, b: 1 } }],
          },
          'Done.',
        ],
        permissions: { remove: 'ask' },
      });
      created.registry.register(add);
      created.registry.register(
        defineTool({
          name: 'remove',
          description: 'Remove something',
          input: {
            type: 'object',
            properties: { id: { type: 'integer', minimum: 1 } },
            required: ['id'],
          },
          execute: ({ id }) => {
            runs.push(JSON.stringify(id));
            return `removed ${JSON.stringify(id)}`;
          },
        }),
      );
      return { ...created, runs };
    };
    const alice = { principal: 'alice' };

    it('parks the run until the owner approves, and runs what was allowed before', async () => {
      const { agent, runs } = await asking();
      const parked = await agent.chat({ message: 'go' }, alice);
      expect(parked).toMatchObject({
        status: 'requires_action',
        stopReason: 'requires_action',
        pendingActions: [{ type: 'approval', callId: 'c1', name: 'remove', input: { id: 1 } }],
      });
      expect(parked.toolCalls.find(({ id }) => id === 'r')).toMatchObject({ output: '2' });
      expect(runs).toEqual([]);
      const done = await agent.resolve(parked.runId, [{ callId: 'c1', type: 'approve' }], alice);
      expect(done).toMatchObject({ runId: parked.runId, status: 'completed', message: 'Done.' });
      expect(runs).toEqual(['1']);
    });

    it('continues the run and its sequence', async () => {
      const { agent } = await asking();
      const first = await agent.start({ message: 'go' }, alice);
      await first.finished;
      await agent.resolve(first.runId, [{ callId: 'c1', type: 'approve' }], alice);
      const events = await allOf(await agent.events(first.runId, alice));
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(typesOf(events).filter((type) => type === 'run.started')).toHaveLength(1);
      expect(typesOf(events).filter((type) => type === 'tool.call')).toHaveLength(2);
      expect(events.filter(({ type }) => type === 'run.finished')).toHaveLength(2);
    });

    it('hands out what comes after the wait, not what was told before it', async () => {
      const { agent } = await asking();
      const first = await agent.start({ message: 'go' }, alice);
      const before = await allOf(first.events());
      const going = await agent.resume(first.runId, [{ callId: 'c1', type: 'approve' }], alice);
      const after = await allOf(going.events());
      expect([...before, ...after].map(({ seq }) => seq)).toEqual(
        [...before, ...after].map((_, index) => index + 1),
      );
      expect(typesOf(after)).not.toContain('run.started');
      expect(after.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
    });

    it('does not run what the owner rejects, and tells the model why', async () => {
      const { agent, runs, model } = await asking();
      const { runId } = await agent.chat({ message: 'go' }, alice);
      const answer = [{ callId: 'c1', type: 'reject', reason: 'too risky' }] as const;
      expect((await agent.resolve(runId, answer, alice)).status).toBe('completed');
      expect(runs).toEqual([]);
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('too risky');
    });

    it('waits until every action is answered, in any order and by several requests', async () => {
      const { agent, runs } = await asking(2);
      const { runId } = await agent.chat({ message: 'go' }, alice);
      const partial = await agent.resolve(runId, [{ callId: 'c2', type: 'approve' }], alice);
      expect(partial).toMatchObject({
        status: 'requires_action',
        pendingActions: [{ callId: 'c1' }],
      });
      expect(runs).toEqual([]);
      const done = await agent.resolve(runId, [{ callId: 'c1', type: 'reject' }], alice);
      expect(done.status).toBe('completed');
      expect(runs).toEqual(['2']);
    });

    it('an approval serves once', async () => {
      const { agent, runs } = await asking(2);
      const { runId } = await agent.chat({ message: 'go' }, alice);
      const approve = [{ callId: 'c1', type: 'approve' }] as const;
      await agent.resolve(runId, approve, alice);
      const again = agent.resolve(runId, approve, alice);
      await expect(again).rejects.toMatchObject({ code: 'already_resolved' });
      await agent.resolve(runId, [{ callId: 'c2', type: 'reject' }], alice);
      const late = agent.resolve(runId, approve, alice);
      await expect(late).rejects.toMatchObject({ code: 'already_resolved' });
      expect(runs).toEqual(['1']);
    });

    it('nobody but the owner can answer', async () => {
      const { agent, runs } = await asking();
      const { runId, sessionId } = await agent.chat({ message: 'go' }, alice);
      const approve = [{ callId: 'c1', type: 'approve' }] as const;
      for (const claim of [{ principal: 'bob' }, {}, { sessionId }]) {
        const forged = agent.resolve(runId, approve, claim);
        await expect(forged).rejects.toMatchObject({ code: 'run_not_found' });
      }
      expect(runs).toEqual([]);
    });

    it('runs edited input; wrong input leaves the approval open', async () => {
      const { agent, runs, model } = await asking();
      const { runId } = await agent.chat({ message: 'go' }, alice);
      const wrong = [{ callId: 'c1', type: 'approve', input: { id: 0 } }] as const;
      await expect(agent.resolve(runId, wrong, alice)).rejects.toMatchObject({
        code: 'invalid_input',
      });
      const edited = [{ callId: 'c1', type: 'approve', input: { id: 7 } }] as const;
      expect((await agent.resolve(runId, edited, alice)).status).toBe('completed');
      expect(runs).toEqual(['7']);
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('{"id":7}');
    });

    it('refuses to remember edited input, and remembers otherwise until it is revoked', async () => {
      const { agent, runs, model, sessions } = await asking();
      const { runId, sessionId } = await agent.chat({ message: 'go' }, alice);
      const both = [{ callId: 'c1', type: 'approve', input: { id: 7 }, remember: true }] as const;
      await expect(agent.resolve(runId, both, alice)).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await agent.resolve(runId, [{ callId: 'c1', type: 'approve', remember: true }], alice);
      expect(await sessions.list('alice')).toMatchObject([{ permissions: ['remove'] }]);
      const call = { toolCalls: [{ name: 'remove', input: { id: 9 } }] };
      model.push(call, 'Again.', call);
      expect((await agent.chat({ message: 'more', sessionId }, alice)).status).toBe('completed');
      expect(runs).toEqual(['1', '9']);
      await sessions.revoke(sessionId, 'remove', 'alice');
      const asked = await agent.chat({ message: 'more', sessionId }, alice);
      expect(asked.status).toBe('requires_action');
    });

    it('a new message declines what is pending', async () => {
      const { agent, runs, model } = await asking();
      const { runId, sessionId } = await agent.chat({ message: 'go' }, alice);
      const next = await agent.chat({ message: 'never mind', sessionId }, alice);
      expect(next.status).toBe('completed');
      expect(runs).toEqual([]);
      const late = agent.resolve(runId, [{ callId: 'c1', type: 'approve' }], alice);
      await expect(late).rejects.toMatchObject({ code: 'already_resolved' });
      expect((await agent.run(runId, alice)).status).toBe('cancelled');
      const history = model.requests[1]?.messages ?? [];
      expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
    });

    it('an approval that comes too late is refused, its call expired and its run over', async () => {
      const { agent, runs, sessions, model } = await asking();
      const { runId, sessionId, pendingActions } = await agent.chat({ message: 'go' }, alice);
      const approve = [{ callId: 'c1', type: 'approve' }] as const;
      const late = after(pendingActions, () => agent.resolve(runId, approve, alice));
      await expect(late).rejects.toMatchObject({ code: 'expired' });
      expect(runs).toEqual([]);
      expect(await agent.run(runId, alice)).toMatchObject({
        status: 'cancelled',
        pendingActions: [],
        toolCalls: [{ id: 'c1', isError: true }, { id: 'r' }],
      });
      const transcript = await sessions.transcript(sessionId, alice);
      expect(transcript.at(-1)?.outcomes).toEqual({ c1: 'expired', r: 'ok' });
      await agent.chat({ message: 'and now?', sessionId }, alice);
      expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
        'approval of this call has expired',
      );
    });

    it('a run that is over since an approval came too late runs none that came in time', async () => {
      const { agent, runs, sessions } = await asking(2);
      const { runId, sessionId, pendingActions } = await agent.chat({ message: 'go' }, alice);
      await agent.resolve(runId, [{ callId: 'c1', type: 'approve' }], alice);
      const approve = [{ callId: 'c2', type: 'approve' }] as const;
      const late = after(pendingActions, () => agent.resolve(runId, approve, alice));
      await expect(late).rejects.toMatchObject({ code: 'expired' });
      expect(runs).toEqual([]);
      const { status, toolCalls } = await agent.run(runId, alice);
      expect(status).toBe('cancelled');
      expect(toolCalls).toMatchObject([{ isError: true }, { isError: true }, { isError: false }]);
      expect(toolCalls[0]?.output).toContain('It was not run.');
      const transcript = await sessions.transcript(sessionId, alice);
      expect(transcript.at(-1)?.outcomes).toEqual({ c1: 'interrupted', c2: 'expired', r: 'ok' });
    });
  });

  describe('frontend tools', () => {
    const paint = {
      name: 'paint',
      description: 'Paint the page',
      input_schema: { type: 'object', properties: { color: { type: 'string' } } },
    };
    const steps = [
      { toolCalls: [{ id: 'f1', name: 'paint', input: { color: 'red' } }] },
      'Painted.',
    ];

    it('a stream waits for the browser, once', async () => {
      const { agent } = await agentFixture({ steps });
      const run = await agent.start(
        { message: 'go', frontendTools: [paint] },
        { frontend: 'wait' },
      );
      for await (const event of run.events()) {
        if (event.type !== 'frontend.call') continue;
        expect(event).toMatchObject({ callId: 'f1', name: 'paint', input: { color: 'red' } });
        const result = { sessionId: run.sessionId, callId: 'f1', result: { ok: true } };
        expect(await agent.deliver(result)).toBe(true);
        expect(await agent.deliver(result)).toBe(false);
      }
      expect((await run.finished).toolCalls).toMatchObject([
        { output: '{"ok":true}', isError: false },
      ]);
    });

    it('a plain chat parks, and the result continues the run', async () => {
      const { agent } = await agentFixture({ steps });
      const parked = await agent.chat({ message: 'go', frontendTools: [paint] });
      expect(parked.pendingActions).toMatchObject([{ type: 'frontend', callId: 'f1' }]);
      const claim = { sessionId: parked.sessionId };
      const wrong = agent.resolve(parked.runId, [{ callId: 'f1', type: 'approve' }], claim);
      await expect(wrong).rejects.toMatchObject({ code: 'not_pending' });
      const done = await agent.resolve(
        parked.runId,
        [{ callId: 'f1', type: 'result', result: 'red now' }],
        claim,
      );
      expect(done).toMatchObject({ message: 'Painted.', toolCalls: [{ output: 'red now' }] });
    });

    it('have their time: a result after it is not used, and the run goes on', async () => {
      const { agent, model } = await agentFixture({ steps });
      const parked = await agent.chat({ message: 'go', frontendTools: [paint] });
      const claim = { sessionId: parked.sessionId };
      const result = [{ callId: 'f1', type: 'result', result: 'red now' }] as const;
      const done = await after(parked.pendingActions, () =>
        agent.resolve(parked.runId, result, claim),
      );
      expect(done).toMatchObject({ message: 'Painted.', toolCalls: [{ id: 'f1', isError: true }] });
      expect(done.toolCalls[0]?.output).toContain('came too late');
      expect(JSON.stringify(model.requests)).not.toContain('red now');
      const again = agent.resolve(parked.runId, result, claim);
      await expect(again).rejects.toMatchObject({ code: 'already_resolved' });
    });

    it('are refused unknown arguments, at every depth', async () => {
      const nested = { type: 'object', properties: { x: { type: 'number' } } };
      const input_schema = { type: 'object', properties: { at: nested } };
      const { agent } = await agentFixture({
        steps: [
          { toolCalls: [{ id: 'f1', name: 'paint', input: { at: { x: 1, y: 2 } } }] },
          'I see.',
        ],
      });
      const frontendTools = [{ ...paint, input_schema }];
      const done = await agent.chat({ message: 'go', frontendTools });
      expect(done).toMatchObject({ status: 'completed', toolCalls: [{ isError: true }] });
      expect(done.toolCalls[0]?.output).toContain('/at');
    });

    it("cannot take a backend tool's name", async () => {
      const { agent, registry } = await agentFixture({});
      registry.register(add);
      const shadow = agent.chat({ message: 'go', frontendTools: [{ ...paint, name: 'add' }] });
      await expect(shadow).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });

  it('generates a value of a schema, with one round of repair', async () => {
    // Models bound to a schema write null for omitted values.
    const good = '{"city": "Ulm", "zip": null}';
    const { agent, model } = await agentFixture({ steps: ['{"city": 7}', good, '{}', '{}'] });
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    expect(await agent.generate({ schema, prompt: 'Where?' })).toEqual({ city: 'Ulm' });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('/city');
    await expect(agent.generate({ schema, prompt: 'Where?' })).rejects.toMatchObject({
      code: 'invalid_output',
    });
  });
});
