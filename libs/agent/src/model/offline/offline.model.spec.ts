import { textMessage, type Message } from '../../message';
import type { ModelEvent, ModelRequest } from '../chat-model';
import { OfflineModel } from './offline.model';

const HISTORY: readonly Message[] = [
  textMessage('user', 'deploy\n the shop'),
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: '1', name: 'deploy', input: { name: 'shop' } }],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: '1', content: 'done', is_error: false }],
  },
  textMessage('assistant', 'It is deployed.'),
];

async function eventsOf(request: Partial<ModelRequest>): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  const whole = { messages: HISTORY, tools: [], ...request };
  const { signal } = new AbortController();
  for await (const event of new OfflineModel().stream(whole, { signal })) events.push(event);
  return events;
}

async function textOf(request: Partial<ModelRequest>): Promise<string> {
  return (await eventsOf(request))
    .map((event) => (event.type === 'text.delta' ? event.delta : ''))
    .join('');
}

describe('the offline model', () => {
  it.each<[string, Partial<ModelRequest>]>([
    ['the system prompt', { system: 'Summarise the conversation.' }],
    ['the last message', { messages: [...HISTORY, textMessage('user', 'Please summarize it.')] }],
  ])('summarises the conversation if %s wants it, with its calls', async (_, request) => {
    const summary = await textOf(request);
    expect(summary.split('\n').slice(0, 4)).toEqual([
      'Summary of the conversation so far:',
      '- user: deploy the shop',
      '- tools used: deploy({"name":"shop"})',
      '- assistant: It is deployed.',
    ]);
  });

  it('keeps more of a conversation that is one message, as compaction sends it', async () => {
    const transcript = textMessage('user', 'user: the order 4711. '.repeat(100));
    const summary = await textOf({ system: 'Summarise.', messages: [transcript] });
    expect(summary.match(/4711/g)).toHaveLength(100);
  });

  it('ends at the limit of its tokens', async () => {
    const events = await eventsOf({ system: 'Summarise.', maxTokens: 5 });
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'max_tokens' });
    expect(await textOf({ system: 'Summarise.', maxTokens: 5 })).toBe('Summary of the conve');
  });
});
