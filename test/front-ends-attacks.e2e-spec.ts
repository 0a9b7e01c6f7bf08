import type { ModelRequest } from 'nestjs-agent';
import { allOf, historyOf, question } from './front-ends/ai-sdk/wire';
import { ADAPTERS, Closers, removed } from './http/agent-app';
import { as } from './http/every-endpoint';
import { SseStream } from './http/sse-client';

const remove = (name: string) => ({
  toolCalls: [{ id: 'call_1', name: 'remove_file', input: { name } }],
});
const said = (id: string, content: string) => ({ id, role: 'user', content });

/** The whole answer to a body that alice posts. */
async function post(url: string, path: string, body: object): Promise<string> {
  return allOf(await SseStream.open(`${url}/agent/${path}`, { headers: as('alice'), body }));
}

/** The texts of a request's messages. */
function textsOf(asked: ModelRequest | undefined): readonly string[] {
  const blocks = (asked?.messages ?? []).flatMap(({ content }) => content);
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

describe.each(ADAPTERS)('a hostile front-end, on %s', (adapter) => {
  const apps = new Closers();
  beforeEach(() => removed.splice(0));
  afterEach(() => apps.close());

  it('approves no call with the id of one that was taken back', async () => {
    // Some providers number calls anew in every answer.
    const { url } = await apps.open({ adapter, steps: [remove('a'), remove('b'), 'Gone.'] });
    await post(url, 'ag-ui', { threadId: 't', runId: 'r1', messages: [said('u1', 'tidy up')] });
    const again = { id: 't', trigger: 'regenerate-message', messages: [question('tidy up')] };
    expect(await post(url, 'ai-sdk', again)).toContain('tool-approval-request');
    const resume = [{ interruptId: 'call_1', status: 'resolved', payload: { approved: true } }];
    const stale = { threadId: 't', runId: 'r2', messages: [said('u1', 'tidy up')], resume };
    await post(url, 'ag-ui', stale);
    const approval = { type: 'mcp_approval_response', approval_request_id: 'mcpr_call_1' };
    const [first] = await historyOf(url, 't');
    const { sessionId } = first?.metadata as { sessionId: string };
    const answer = { conversation: sessionId, input: [{ ...approval, approve: true }] };
    expect(await post(url, 'v1/responses', answer)).toContain('not_pending');
    expect(removed).toEqual([]);
  });

  it('takes the number of a message for no message of the store', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['One.', 'Two.', 'One.', 'Two.'] });
    const answer = { id: 'a', role: 'assistant', content: 'One.', parts: [] };
    const expected = ['next', 'One.', 'next'];
    // The first message is the second entry of the journal.
    await post(url, 'ag-ui', { threadId: 'b', runId: 'r1', messages: [said('1', 'next')] });
    const messages = [said('1', 'next'), answer, said('2', 'next')];
    await post(url, 'ag-ui', { threadId: 'b', runId: 'r2', messages });
    expect(textsOf(model.requests.at(-1))).toEqual(expected);
    await post(url, 'ai-sdk', { id: 'a', messages: [question('next', '1')] });
    const list = [question('next', '1'), answer, question('next', '2')];
    await post(url, 'ai-sdk', { id: 'a', messages: list });
    expect(model.requests).toHaveLength(4);
    expect(textsOf(model.requests.at(-1))).toEqual(expected);
  });

  it('keeps the number by which a client names its message, and says it once', async () => {
    const toolCalls = [{ id: 'c1', name: 'remove_file', input: { name: 'numbered' } }];
    const steps = [{ toolCalls }, 'Gone.', 'Hello.'];
    const { url, model } = await apps.open({ adapter, steps });
    const asked = { threadId: 'n', messages: [said('1', 'Remove it')] };
    await post(url, 'ag-ui', { ...asked, runId: 'r1' });
    const resume = [{ interruptId: 'c1', status: 'resolved', payload: { approved: true } }];
    const answered = await post(url, 'ag-ui', { ...asked, runId: 'r2', resume });
    expect(answered).toContain('"type":"success"');
    const list = { id: 'm', messages: [question('Hi', '1')] };
    const first = await post(url, 'ai-sdk', list);
    expect(await post(url, 'ai-sdk', list)).toContain('Hello.');
    expect(first).toContain('Hello.');
    expect(model.requests).toHaveLength(3);
    expect((await historyOf(url, 'm'))[0]?.id).toBe('1');
  });

  it('says no message twice of several that were one', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['One.', 'Two.'] });
    const messages = [said('u1', 'first'), said('u2', 'second')];
    await post(url, 'ag-ui', { threadId: 't', runId: 'r1', messages });
    const more = [...messages, said('u3', 'third')];
    await post(url, 'ag-ui', { threadId: 't', runId: 'r2', messages: more });
    expect(textsOf(model.requests.at(-1))).toEqual(['first', 'second', 'One.', 'third']);
  });

  it('has no context beyond its limit, and no error that repeats what was sent', async () => {
    const { url, model } = await apps.open({ adapter });
    const long = 'x'.repeat(500_000);
    const messages = [said('u1', 'hi')];
    const context = [{ description: '', value: long }];
    const source = { type: 'url', mimeType: long, value: 'https://a.b' };
    const picture = { ...said('u1', ''), content: [{ type: 'image', source }] };
    const call = { type: 'function_call', call_id: long, name: 'x', arguments: '{}' };
    const refused: readonly (readonly [string, object])[] = [
      ['ag-ui', { threadId: 't', runId: 'r', messages, context }],
      ['ag-ui', { threadId: 't', runId: 'r', messages: [picture] }],
      ['ai-sdk', { id: 't', messages: [question('hi')], tools: { [long]: 1 } }],
      ['v1/responses', { model: long, input: 'hi' }],
      ['v1/responses', { input: [call] }],
      ['v1/responses', { input: 'hi', stream: true, metadata: { long: long.repeat(3) } }],
    ];
    for (const [path, body] of refused) {
      const answer = await post(url, path, body);
      expect(JSON.parse(answer)).toHaveProperty(path === 'v1/responses' ? 'error' : 'code');
      expect(answer.length).toBeLessThan(5_000);
    }
    expect(model.requests).toEqual([]);
  });

  it('reads a history whose calls have the names of properties as ids', async () => {
    const calls = ['constructor', '__proto__'].map((id, a) => ({
      id,
      name: 'add',
      input: { a, b: 1 },
    }));
    const { url } = await apps.open({ adapter, steps: [{ toolCalls: calls }, 'Done.'] });
    await post(url, 'ai-sdk', { id: 't', messages: [question('add')] });
    const [, answer] = await historyOf(url, 't');
    const states = answer?.parts.flatMap((part) => ('state' in part ? [part.state] : []));
    expect(states).toEqual(['output-available', 'output-available', 'done']);
  });
});
