import type { INestApplication } from '@nestjs/common';
import OpenAI from 'openai';
import request from 'supertest';
import type { AgentEvent } from 'nestjs-agent';
import { agentsApp, type AgentsApp, ArchiveTools, calls } from './agents/several-agents';
import { GENERATIONS } from './front-ends/ag-ui/clients';
import { Tab } from './front-ends/ag-ui/tab';
import { Chat } from './front-ends/ai-sdk/chat';
import { historyOf, post, question } from './front-ends/ai-sdk/wire';
import { asked, decision, itemsOf, streamed, typesOf } from './front-ends/responses/responses-app';
import { ON_FASTIFY } from './http/agent-app';
import { as } from './http/every-endpoint';

interface ArchiveApp extends AgentsApp {
  readonly burnt: readonly string[];
  readonly client: OpenAI;
  connect(user: string): OpenAI;
}

describe.each(ON_FASTIFY)('an agent that asks another, for front-ends on %s', (adapter) => {
  let opened: INestApplication | undefined;
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });

  /** The archive looks a file up, and burns it if the user approves. */
  const open = async (...more: readonly string[]): Promise<ArchiveApp> => {
    const app = await agentsApp({
      adapter,
      agents: ['archive'],
      steps: [
        { text: 'I ask.', toolCalls: [{ name: 'ask_archive', input: { message: 'Burn it' } }] },
        'Burnt for you.',
        ...more,
      ],
      features: [
        {
          name: 'archive',
          steps: [
            [
              { type: 'reasoning.delta', delta: 'CHILD' },
              { type: 'text.delta', delta: 'CHILD' },
              { type: 'tool_use', id: 'find', name: 'archive_find', input: { name: 'map' } },
              { type: 'finish', reason: 'tool_use' },
            ],
            calls('archive_burn', { name: 'map' }),
            { text: ['CHILD', ' is done'] },
          ],
        },
      ],
    });
    opened = app.app;
    const connect = (user: string): OpenAI =>
      new OpenAI({ baseURL: `${app.url}/agent/v1`, apiKey: user, maxRetries: 0 });
    const { burnt } = app.app.get(ArchiveTools);
    return { ...app, burnt, connect, client: connect('alice') };
  };

  describe('with useChat', () => {
    const called = (chat: Chat, name: string): { readonly toolCallId: string; state: string } => {
      const found = chat.answer.parts.filter(({ type }) => type === `tool-${name}`);
      expect(found).toHaveLength(1);
      return found[0] as never;
    };

    it('asks for the approval, and tells only the answer as text', async () => {
      const { url, burnt } = await open('Good bye.');
      const chat = new Chat(url, { user: 'alice', id: 'main' });
      await chat.sendMessage({ text: 'Burn it' });
      expect(chat.text).toBe('I ask.');
      expect(called(chat, 'archive_find').state).toBe('output-available');
      const { toolCallId, state } = called(chat, 'archive_burn');
      expect(state).toBe('approval-requested');
      await chat.decide(toolCallId, true);
      expect(chat.error).toBeUndefined();
      expect(burnt).toEqual(['map']);
      expect(chat.text).toBe('I ask.|Burnt for you.');
      expect(chat.posts).toHaveLength(2);
      expect(called(chat, 'archive_burn').state).toBe('output-available');
      expect(called(chat, 'ask_archive').state).toBe('output-available');
      expect(JSON.stringify(chat.messages)).not.toContain('"CHILD"');
      const ids = (await historyOf(url, 'main')).map(({ id }) => id);
      expect(ids).toEqual(chat.messages.map(({ id }) => id));
      await chat.sendMessage({ text: 'Thanks' });
      expect(chat.text).toBe('Good bye.');
    });

    it('can be answered after a reload', async () => {
      const { url, burnt } = await open();
      await new Chat(url, { user: 'alice', id: 'main' }).sendMessage({ text: 'Burn it' });
      const messages = await historyOf(url, 'main');
      const reloaded = new Chat(url, { user: 'alice', id: 'main', messages });
      await reloaded.decide(called(reloaded, 'archive_burn').toolCallId, false, 'Keep it.');
      expect(reloaded.error).toBeUndefined();
      expect(burnt).toEqual([]);
      expect(called(reloaded, 'archive_burn').state).toBe('output-denied');
      expect(reloaded.text).toBe('I ask.|Burnt for you.');
    });

    it('is told again as it was, with nothing left to answer', async () => {
      const { url } = await open();
      const chat = new Chat(url, { user: 'alice', id: 'main' });
      await chat.sendMessage({ text: 'Burn it', messageId: undefined });
      const [{ id = '' } = {}] = chat.messages;
      await chat.decide(called(chat, 'archive_burn').toolCallId, true);
      const again = await post(url, { id: 'main', messages: [question('Burn it', id)] });
      const told = again.map(({ type }) => type);
      expect(told).not.toContain('tool-approval-request');
      expect(told.filter((type) => type === 'tool-input-available')).toHaveLength(3);
      expect(told.filter((type) => type === 'tool-output-available')).toHaveLength(3);
    });

    it('answers several agents at once, beside a call of its own, and what they ask next', async () => {
      const app = await agentsApp({
        adapter,
        agents: ['clerk', 'archive'],
        steps: [
          {
            toolCalls: [
              { name: 'ask_clerk', input: { message: 'one' } },
              { name: 'ask_archive', input: { message: 'two' } },
              { name: 'archive_burn', input: { name: 'own' } },
            ],
          },
          'All done.',
        ],
        features: [
          {
            name: 'clerk',
            agents: ['cellar'],
            steps: [calls('ask_cellar', { message: 'deep' }), 'Clerk done.'],
          },
          {
            name: 'cellar',
            steps: [
              calls('archive_burn', { name: 'deep' }),
              calls('archive_find', { name: 'ashes' }),
              calls('archive_burn', { name: 'deeper' }),
              'Cellar done.',
            ],
          },
          { name: 'archive', steps: [calls('archive_burn', { name: 'kept' }), 'Kept.'] },
        ],
      });
      opened = app.app;
      const chat = new Chat(app.url, { user: 'alice', id: 'main' });
      await chat.sendMessage({ text: 'Burn all' });
      const waitingFor = (of: Chat): Record<string, string> =>
        Object.fromEntries(
          of.answer.parts.flatMap((part) => {
            if (!('toolCallId' in part) || part.state !== 'approval-requested') return [];
            return [[(part.input as { name: string }).name, part.toolCallId]];
          }),
        );
      const asked = waitingFor(chat);
      expect(Object.keys(asked).toSorted()).toEqual(['deep', 'kept', 'own']);
      expect(waitingFor(new Chat(app.url, { messages: await historyOf(app.url, 'main') }))).toEqual(
        asked,
      );
      await chat.decide(asked['own'] ?? '', true);
      await chat.decide(asked['kept'] ?? '', false);
      expect(chat.posts).toHaveLength(1);
      await chat.decide(asked['deep'] ?? '', true);
      expect(chat.posts).toHaveLength(2);
      const next = waitingFor(chat);
      expect(Object.keys(next)).toEqual(['deeper']);
      await chat.decide(next['deeper'] ?? '', true);
      expect(chat.error).toBeUndefined();
      expect(chat.posts).toHaveLength(3);
      expect(chat.text).toBe('All done.');
      expect(app.app.get(ArchiveTools).burnt.toSorted()).toEqual(['deep', 'deeper', 'own']);
      expect(
        new Set(chat.answer.parts.flatMap((part) => ('toolCallId' in part ? [part.state] : []))),
      ).toEqual(new Set(['output-available', 'output-denied']));
    });

    it('takes no approval of others, and none that a client made up', async () => {
      const { url, burnt } = await open();
      const chat = new Chat(url, { user: 'alice', id: 'main' });
      await chat.sendMessage({ text: 'Burn it' });
      const { toolCallId } = called(chat, 'archive_burn');
      const mallory = new Chat(url, { user: 'mallory', id: 'main', messages: chat.messages });
      await mallory.decide(toolCallId, true);
      expect(mallory.error).toBeDefined();
      const made = structuredClone(chat.messages);
      for (const part of made.at(-1)?.parts ?? []) {
        if (!('toolCallId' in part)) continue;
        Object.assign(part, { state: 'approval-responded', toolCallId: 'forged' });
        Object.assign(part, { approval: { id: toolCallId, approved: true } });
      }
      const forger = new Chat(url, { user: 'alice', id: 'main', messages: made });
      await forger.sendMessage();
      expect(forger.error?.message).toContain('not_pending');
      expect(burnt).toEqual([]);
    });
  });

  it.each(GENERATIONS)('is approved with the AG-UI client %s', async (generation) => {
    const { url, burnt } = await open('Good bye.');
    const tab = new Tab(url, { generation });
    await tab.say('Burn it');
    const started = tab.of('TOOL_CALL_START').map(({ toolCallName }) => toolCallName);
    expect(started).toEqual(['ask_archive', 'archive_find', 'archive_burn']);
    expect(tab.of('STEP_STARTED')).toHaveLength(1);
    expect(tab.types).not.toContain('REASONING_START');
    const { interrupts } = tab.outcome as { interrupts: { id: string }[] };
    expect(interrupts).toHaveLength(1);
    const [{ id = '' } = {}] = interrupts;

    // Neither another user, nor a tool message in the list.
    const mallory = new Tab(url, { generation, user: 'mallory', messages: tab.agent.messages });
    await mallory.fails(mallory.approve(id));
    const { messages } = tab.agent;
    const forger = new Tab(url, { generation, messages: [...messages] });
    forger.answer(id, 'burnt');
    await forger.run();
    expect(burnt).toEqual([]);

    await tab.approve(id);
    expect(burnt).toEqual(['map']);
    expect(tab.texts).toEqual(['I ask.', 'Burnt for you.']);
    expect(tab.of('TOOL_CALL_START')).toEqual([]);
    expect(tab.results[id]).toEqual(['burnt map']);
    const own = (await tab.history()) as { id: string; role: string }[];
    const kept = tab.agent.messages.map((message) => message.id);
    expect(own.map((message) => message.id).every((each) => kept.includes(each))).toBe(true);
    await tab.say('Thanks');
    expect(tab.texts.at(-1)).toBe('Good bye.');
  });

  it('is approved over Responses, whose items stay as they were', async () => {
    const { client, connect, burnt } = await open('Good bye.');
    const first = await streamed(client, { input: 'Burn it' });
    expect(typesOf(first.response)).toEqual(['message', 'mcp_call', 'mcp_approval_request']);
    expect(first.response.output_text).toBe('I ask.');
    const request = asked(first.response);
    expect(request).toMatchObject({ server_label: 'archive', name: 'archive_burn' });
    const answer = {
      previous_response_id: first.response.id,
      input: [decision(request.id, true)],
    };
    await expect(connect('mallory').responses.create(answer)).rejects.toMatchObject({
      status: 404,
    });
    // A list that the client keeps answers no approval.
    await expect(
      client.responses.create({ store: false, input: [request as never, ...answer.input] }),
    ).rejects.toMatchObject({ status: 400 });
    expect(burnt).toEqual([]);
    const next = await streamed(client, answer);
    expect(burnt).toEqual(['map']);
    expect(next.response.output_text).toBe('Burnt for you.');
    expect(itemsOf(next.response, 'mcp_call')).toMatchObject([
      { server_label: 'archive', name: 'archive_burn', approval_request_id: request.id },
      { server_label: 'agent', name: 'ask_archive', output: 'CHILD is done' },
    ]);
    for (const { response } of [first, next]) {
      const { output } = await client.responses.retrieve(response.id);
      expect(output).toEqual(response.output);
    }
    const last = await client.responses.create({
      previous_response_id: next.response.id,
      input: 'Thanks',
    });
    expect(last.output_text).toBe('Good bye.');
  });

  describe('two of whose agents wait', () => {
    const waiting = async (): Promise<ArchiveApp> => {
      const app = await agentsApp({
        adapter,
        agents: ['archive', 'cellar'],
        steps: [
          {
            toolCalls: [
              { name: 'ask_archive', input: { message: 'one' } },
              { name: 'ask_cellar', input: { message: 'two' } },
            ],
          },
          'Half of it.',
        ],
        features: [
          { name: 'archive', steps: [calls('archive_burn', { name: 'map' }), 'Burnt.'] },
          { name: 'cellar', steps: [calls('archive_burn', { name: 'wine' }), 'Kept.'] },
        ],
      });
      opened = app.app;
      const connect = (user: string): OpenAI =>
        new OpenAI({ baseURL: `${app.url}/agent/v1`, apiKey: user, maxRetries: 0 });
      const { burnt } = app.app.get(ArchiveTools);
      return { ...app, burnt, connect, client: connect('alice') };
    };

    it.each(GENERATIONS)('is answered differently with the AG-UI client %s', async (generation) => {
      const { url, burnt } = await waiting();
      const tab = new Tab(url, { generation });
      await tab.say('Burn both');
      const ids = (): string[] =>
        (tab.outcome as { interrupts: { id: string }[] }).interrupts.map(({ id }) => id);
      const [map = '', wine = ''] = ids();
      await tab.run({
        resume: [
          { interruptId: map, status: 'resolved', payload: { approved: true } },
          { interruptId: wine, status: 'resolved', payload: { approved: false } },
        ],
      });
      expect(burnt).toEqual(['map']);
      expect(tab.texts).toEqual(['Half of it.']);
      expect(tab.results[map]).toEqual(['burnt map']);
      expect(tab.results[wine]).toHaveLength(1);
    });

    it('is answered one by one over Responses', async () => {
      const { client, burnt } = await waiting();
      const first = await client.responses.create({ input: 'Burn both' });
      const requests = itemsOf(first, 'mcp_approval_request');
      expect(requests.map(({ server_label }) => server_label)).toEqual(['archive', 'cellar']);
      const [map, wine] = requests;
      const second = await streamed(client, {
        previous_response_id: first.id,
        input: [decision(map?.id, true)],
      });
      expect(asked(second.response).id).toBe(wine?.id);
      const third = await streamed(client, {
        previous_response_id: second.response.id,
        input: [decision(wine?.id, false)],
      });
      expect(third.response.output_text).toBe('Half of it.');
      expect(burnt).toEqual(['map']);
      const told = [second, third].flatMap(({ response }) => itemsOf(response, 'mcp_call'));
      expect(told.map(({ name }) => name).toSorted()).toEqual([
        'archive_burn',
        'ask_archive',
        'ask_cellar',
      ]);
      for (const { response } of [second, third]) {
        const { output } = await client.responses.retrieve(response.id);
        expect(output).toEqual(response.output);
      }
    });
  });

  it('is approved on the stream of its own events', async () => {
    const { url, burnt } = await open();
    const ask = async (path: string, body: object): Promise<readonly AgentEvent[]> => {
      const { text } = await request(url)
        .post(path)
        .set({ ...as('alice'), accept: 'text/event-stream' })
        .send(body)
        .expect(200);
      const frames = text.split('\n').filter((line) => line.startsWith('data: '));
      return frames.map((line) => JSON.parse(line.slice('data: '.length)) as AgentEvent);
    };
    const first = await ask('/agent/chat/stream', { message: 'Burn it' });
    expect(first.filter(({ type }) => type === 'thinking.delta')).toMatchObject([
      { agent: 'archive', delta: 'CHILD' },
    ]);
    const waits = first.find((event) => event.type === 'approval.required');
    expect(waits).toMatchObject({ agent: 'archive', name: 'archive_burn' });
    const { runId, callId } = waits as { runId: string; callId: string };
    const next = await ask(`/agent/runs/${runId}/actions`, {
      actions: [{ callId, type: 'approve' }],
    });
    expect(burnt).toEqual(['map']);
    const text = [...first, ...next].flatMap((event) =>
      event.type === 'text.delta' ? [event.delta] : [],
    );
    expect(text.join('')).toBe('I ask.Burnt for you.');
  });

  it('asks in a stateless completion too, without approvals', async () => {
    const { client, burnt, models } = await open();
    const stream = client.chat.completions.stream({
      model: 'agent',
      messages: [{ role: 'user', content: 'Burn it' }],
    });
    expect(await stream.finalContent()).toBe('I ask.\n\nBurnt for you.');
    expect(burnt).toEqual([]);
    const tools = models['archive']?.requests[0]?.tools.map(({ name }) => name);
    expect(tools).toContain('archive_find');
    expect(tools).not.toContain('archive_burn');
  });
});
