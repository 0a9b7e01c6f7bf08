import { type INestApplication, UseGuards } from '@nestjs/common';
import request from 'supertest';
import { type AgentEvent, AgentService, type ChatResult } from 'nestjs-agent';
import { BearerGuard, ON_EXPRESS } from './http/agent-app';
import {
  agentsApp,
  type AgentsApp,
  type AgentsOptions,
  ArchiveTools,
  calls,
  StaffGuard,
} from './agents/several-agents';

const alice = { authorization: 'Bearer alice' };

describe.each(ON_EXPRESS)('an agent that asks another, on %s', (adapter) => {
  let opened: INestApplication | undefined;
  const open = async (options: Omit<AgentsOptions, 'adapter'>): Promise<AgentsApp> => {
    const app = await agentsApp({ ...options, adapter });
    opened = app.app;
    return app;
  };
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });

  const chat = async (
    { url }: AgentsApp,
    body: object = { message: 'Look it up' },
  ): Promise<ChatResult> =>
    (await request(url).post('/agent/chat').set(alice).send(body).expect(200)).body as ChatResult;
  const answer = async (
    { url }: AgentsApp,
    runId: string,
    ...actions: readonly object[]
  ): Promise<ChatResult> =>
    (
      await request(url)
        .post(`/agent/runs/${runId}/actions`)
        .set(alice)
        .send({ actions })
        .expect(200)
    ).body as ChatResult;
  const eventsOf = async ({ app }: AgentsApp, runId: string): Promise<readonly AgentEvent[]> => {
    const events: AgentEvent[] = [];
    const told = await app.get(AgentService).events(runId, { principal: 'alice' });
    for await (const event of told) events.push(event);
    return events;
  };

  it('gets its last message, and tells what it does', async () => {
    const app = await open({
      agents: ['archive'],
      steps: [calls('ask_archive', { message: 'Where is the map?' }), 'It is on the shelf.'],
      features: [
        {
          name: 'archive',
          description: 'Knows all files',
          steps: [calls('archive_find', { name: 'map' }), { text: ['On the', ' shelf.'] }],
        },
      ],
    });
    const result = await chat(app);
    expect(result).toMatchObject({ status: 'completed', message: 'It is on the shelf.' });
    expect(result.toolCalls).toMatchObject([{ name: 'ask_archive', output: 'On the shelf.' }]);
    // Two model calls of each.
    expect(result.usage.totalTokens).toBe(60);
    expect(app.model.requests[0]?.tools.find(({ name }) => name === 'ask_archive')).toMatchObject({
      description: 'Knows all files',
    });
    expect(app.models['archive']?.requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Where is the map?' }] },
    ]);

    const events = await eventsOf(app, result.runId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set([result.runId]));
    const asking = result.toolCalls[0]?.id ?? '';
    const told = events.filter(({ agent }) => agent === 'archive');
    expect(new Set(told.map(({ parentCallId }) => parentCallId))).toEqual(new Set([asking]));
    expect(told.map(({ type }) => type)).toEqual([
      'step.started',
      'step.finished',
      'tool.call',
      'tool.result',
      'step.started',
      'agent.text.delta',
      'agent.text.delta',
      'step.finished',
    ]);
    const text = events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : []));
    expect(text.join('')).toBe('It is on the shelf.');
    expect(app.records).toMatchObject([
      { tool: 'archive_find', agent: 'archive', runId: result.runId, sessionId: result.sessionId },
      { tool: 'ask_archive', kind: 'agent' },
    ]);
    const ids = events.flatMap((event) => (event.type === 'tool.call' ? [event.callId] : []));
    expect(new Set(ids).size).toBe(2);

    // The asked agent's session is no conversation of the user's.
    const { body } = await request(app.url).get('/archive/sessions').set(alice).expect(200);
    expect(body).toEqual([]);
  });

  it('remembers earlier questions of the conversation', async () => {
    const app = await open({
      agents: ['archive'],
      steps: [
        calls('ask_archive', { message: 'one' }),
        'a',
        calls('ask_archive', { message: 'two' }),
        'b',
      ],
      features: [{ name: 'archive', steps: ['first', 'second'] }],
    });
    const { sessionId } = await chat(app);
    await chat(app, { message: 'again', sessionId });
    expect(app.models['archive']?.requests[1]?.messages).toHaveLength(3);
  });

  it('waits for what the other one waits for, at any depth', async () => {
    const app = await open({
      agents: ['clerk'],
      steps: [calls('ask_clerk', { message: 'Burn it' }), 'Done.'],
      features: [
        {
          name: 'clerk',
          agents: ['archive'],
          steps: [calls('ask_archive', { message: 'Burn' }), 'It burns.'],
        },
        { name: 'archive', steps: [calls('archive_burn', { name: 'map' }), 'Burnt.'] },
      ],
    });
    const { burnt } = app.app.get(ArchiveTools);
    const waiting = await chat(app);
    expect(waiting).toMatchObject({ status: 'requires_action', usage: { totalTokens: 45 } });
    expect(waiting.pendingActions).toMatchObject([
      { type: 'approval', name: 'archive_burn', agent: 'archive', input: { name: 'map' } },
    ]);
    expect(burnt).toEqual([]);
    const [action] = waiting.pendingActions;
    const { callId = '' } = action ?? {};

    // Edited arguments are checked by the agent that waits.
    const refused = await request(app.url)
      .post(`/agent/runs/${waiting.runId}/actions`)
      .set(alice)
      .send({ actions: [{ callId, type: 'approve', input: { nom: 'x' } }] });
    expect(refused.status).toBe(400);
    const done = await answer(app, waiting.runId, {
      callId,
      type: 'approve',
      input: { name: 'old map' },
    });
    expect(done).toMatchObject({ status: 'completed', message: 'Done.' });
    expect(burnt).toEqual(['old map']);
    expect(done.usage.totalTokens).toBe(90);
    const events = await eventsOf(app, done.runId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const results = events.filter(({ type }) => type === 'tool.result');
    expect(results).toMatchObject([
      { name: 'archive_burn', agent: 'archive', output: 'burnt old map' },
      { name: 'ask_archive', agent: 'clerk', output: 'Burnt.' },
      { name: 'ask_clerk', output: 'It burns.' },
    ]);
    expect(results[2]).not.toHaveProperty('agent');
    await request(app.url)
      .post(`/agent/runs/${waiting.runId}/actions`)
      .set(alice)
      .send({ actions: [{ callId, type: 'approve' }] })
      .expect(409);
  });

  it('asks for two approvals at once, of one agent and of two', async () => {
    const app = await open({
      agents: ['archive', 'cellar'],
      steps: [
        {
          toolCalls: [
            { name: 'ask_archive', input: { message: 'one' } },
            { name: 'ask_archive', input: { message: 'two' } },
            { name: 'ask_cellar', input: { message: 'three' } },
          ],
        },
        'All done.',
      ],
      features: [
        {
          name: 'archive',
          steps: [
            calls('archive_burn', { name: '1' }),
            calls('archive_burn', { name: '2' }),
            'first',
            'second',
          ],
        },
        { name: 'cellar', steps: [calls('archive_burn', { name: '3' }), 'third'] },
      ],
    });
    const { burnt } = app.app.get(ArchiveTools);
    const waiting = await chat(app);
    expect(waiting.pendingActions.map(({ input }) => input)).toEqual([
      { name: '1' },
      { name: '2' },
      { name: '3' },
    ]);
    const [one, two, three] = waiting.pendingActions.map(({ callId }) => callId);
    const half = await answer(app, waiting.runId, { callId: two, type: 'reject', reason: 'no' });
    expect(half.status).toBe('requires_action');
    expect(half.pendingActions.map(({ callId }) => callId)).toEqual([one, three]);
    const done = await answer(
      app,
      waiting.runId,
      { callId: one, type: 'approve' },
      { callId: three, type: 'approve' },
    );
    expect(done).toMatchObject({ status: 'completed', message: 'All done.' });
    expect(burnt.toSorted()).toEqual(['1', '3']);
    expect(done.toolCalls.map(({ output }) => output)).toEqual(['first', 'second', 'third']);
    const events = await eventsOf(app, done.runId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const results = events.flatMap((event) => (event.type === 'tool.result' ? [event] : []));
    expect(results.filter(({ name }) => name === 'archive_burn')).toMatchObject([
      { callId: two, outcome: 'declined' },
      { callId: one, outcome: 'ok' },
      { callId: three, outcome: 'ok' },
    ]);
  });

  it('says who failed and why, and nothing else', async () => {
    const app = await open({
      agents: ['archive'],
      steps: [calls('ask_archive', { message: 'x' }), 'Sorry.'],
      features: [{ name: 'archive', steps: [new Error('postgres://secret')] }],
    });
    const { toolCalls } = await chat(app);
    expect(toolCalls[0]).toMatchObject({ isError: true });
    expect(JSON.stringify(toolCalls[0]?.output)).toMatch(/The agent \\"archive\\" failed: /);
    expect(JSON.stringify(toolCalls[0]?.output)).not.toContain('secret');
  });

  it('is refused where the other one’s guards refuse the caller', async () => {
    const app = await open({
      agents: ['archive'],
      steps: [calls('ask_archive', { message: 'x' }), 'Sorry.'],
      features: [
        { name: 'archive', decorators: [UseGuards(BearerGuard, StaffGuard)], steps: ['no'] },
      ],
    });
    const { toolCalls } = await chat(app);
    expect(toolCalls[0]).toMatchObject({ isError: true });
    expect(JSON.stringify(toolCalls[0]?.output)).toContain('Only staff may ask this agent.');
    expect(app.models['archive']?.requests).toEqual([]);
  });

  it('lets at most three agents ask each other in a row', async () => {
    const app = await open({
      agents: ['b'],
      steps: [calls('ask_b', { message: 'x' }), 'done'],
      features: [
        { name: 'b', agents: ['c'], steps: [calls('ask_c', { message: 'x' }), 'b done'] },
        { name: 'c', agents: ['d'], steps: [calls('ask_d', { message: 'x' }), 'c done'] },
        { name: 'd' },
      ],
    });
    const { runId, status } = await chat(app);
    expect(status).toBe('completed');
    const results = (await eventsOf(app, runId)).filter(({ type }) => type === 'tool.result');
    expect(results[0]).toMatchObject({ name: 'ask_d', isError: true });
  });

  it('spends the budget of the run that asks', async () => {
    const app = await open({
      agents: ['archive'],
      budget: { totalTokens: 40, toolCalls: 2 },
      steps: [calls('ask_archive', { message: 'x' }), 'never'],
      features: [
        {
          name: 'archive',
          steps: [
            calls('archive_find', { name: '1' }),
            calls('archive_find', { name: '2' }),
            calls('archive_find', { name: '3' }),
          ],
        },
      ],
    });
    const result = await chat(app);
    expect(result).toMatchObject({ status: 'completed', stopReason: 'budget' });
    expect(result.usage.totalTokens).toBe(45);
    expect(app.models['archive']?.requests).toHaveLength(2);
  });

  it('cancels the other one too, also while it waits', async () => {
    const app = await open({
      agents: ['archive'],
      steps: [calls('ask_archive', { message: 'x' }), 'next'],
      features: [{ name: 'archive', steps: [calls('archive_burn', { name: '1' }), 'asked again'] }],
    });
    const waiting = await chat(app);
    const [{ callId = '' } = {}] = waiting.pendingActions;
    await request(app.url).delete(`/agent/runs/${waiting.runId}`).set(alice).expect(200);
    await request(app.url)
      .post(`/agent/runs/${waiting.runId}/actions`)
      .set(alice)
      .send({ actions: [{ callId, type: 'approve' }] })
      .expect(409);
    expect(app.app.get(ArchiveTools).burnt).toEqual([]);
    expect(app.records.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['archive_burn', 'interrupted'],
      ['ask_archive', 'interrupted'],
    ]);
    const agent = app.app.get(AgentService);
    const found = await agent.run(waiting.runId, { principal: 'alice' });
    expect(found).toMatchObject({ status: 'cancelled', pendingActions: [] });
  });
});
