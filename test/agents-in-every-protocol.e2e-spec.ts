import type { INestApplication } from '@nestjs/common';
import OpenAI from 'openai';
import { agentsApp, type AgentsApp, ArchiveTools, calls } from './agents/several-agents';
import { GENERATIONS } from './front-ends/ag-ui/clients';
import { Tab } from './front-ends/ag-ui/tab';
import { Chat } from './front-ends/ai-sdk/chat';
import { historyOf, post, question } from './front-ends/ai-sdk/wire';
import { asked, decision, itemsOf, streamed, typesOf } from './front-ends/responses/responses-app';
import { ADAPTERS } from './http/agent-app';

interface ArchiveApp extends AgentsApp {
  readonly burnt: readonly string[];
  readonly client: OpenAI;
  connect(user: string): OpenAI;
}

describe.each(ADAPTERS)('an agent that asks another, for front-ends on %s', (adapter) => {
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
