import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HttpAgent } from '@ag-ui/client';
import { Barrier } from 'nestjs-agent/testing';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows, guideText } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import { ask, askOnPage, connect, decide, reload, stop, visit } from './client';

const TEXT = guideText('ag-ui');
const find = { toolCalls: [{ name: 'get_order', input: { id: 17 } }] };
const cancel = { toolCalls: [{ name: 'cancel_order', input: { id: 17 } }] };

function text(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}

describe('the guide to AG-UI', () => {
  let guide: GuideApp;
  let agent: HttpAgent;
  let count = 0;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  beforeEach(() => {
    count += 1;
    agent = connect('ada', `thread ${count}`, `${guide.url}/agent`);
  });
  afterAll(() => guide.close());
  const told = (): string => JSON.stringify(guide.model.requests.at(-1)?.messages);

  it('answers the client', async () => {
    guide.model.push(find, 'Order 17 is open.');
    expect(await ask(agent, 'And order 17?')).toBe('Order 17 is open.');
  });

  it('asks before it changes something', async () => {
    guide.model.push(cancel, 'It is cancelled.');
    await ask(agent, 'Cancel order 17');
    const asked: unknown[] = [];
    await decide(agent, ({ message }) => asked.push(message) > 0);
    expect(agent.messages.at(-1)).toMatchObject({ content: 'It is cancelled.' });
    expect(asked).toEqual([expect.stringContaining('cancel_order')]);
    expect(told()).toContain('cancelled');
  });

  it('has the page answer its own tools', async () => {
    guide.model.push(
      ({ tools }) => ({
        toolCalls: [{ name: tools.find(({ name }) => /^page/.test(name))?.name ?? '', input: {} }],
      }),
      'You are at "Orders".',
    );
    await askOnPage(agent, 'Where am I?', () => 'Orders');
    expect(agent.messages.at(-1)).toMatchObject({ content: 'You are at "Orders".' });
  });

  it('goes on after a reload', async () => {
    guide.model.push(cancel, 'It is cancelled.');
    await ask(agent, 'Cancel order 17');
    const reloaded = connect('ada', agent.threadId, `${guide.url}/agent`);
    await reload(reloaded);
    expect(reloaded.messages).toEqual(agent.messages);
    await decide(reloaded, () => true);
    expect(reloaded.messages.at(-1)).toMatchObject({ content: 'It is cancelled.' });
    const fresh = connect('ada', 'a new thread', `${guide.url}/agent`);
    await reload(fresh);
    expect(fresh.messages).toEqual([]);
  });

  it('stops', async () => {
    const gate = new Barrier();
    guide.model.push([{ type: 'text.delta', delta: 'Well' }, gate]);
    const asked = ask(agent, 'Take your time');
    await gate.reached;
    await stop(agent);
    expect(await asked).toBe('Well');
  });

  it('lets visitors in', async () => {
    guide.model.push('Hello, visitor.');
    expect(await ask(await visit(`${guide.url}/agent`), 'Hi')).toBe('Hello, visitor.');
  });

  it('answers curl, and ends with an interrupt as shown', async () => {
    guide.model.push(cancel);
    const command = text('stream.sh').replace('http://127.0.0.1:3000', guide.url);
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const events = stdout
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: '))
      .map((frame) => JSON.parse(frame.slice('data: '.length)) as { type: string });
    const shown = JSON.parse(text('interrupt.json')) as typeof ended & { type: string };
    const ended = events.at(-1) as unknown as {
      outcome: { interrupts: { id: string; toolCallId: string; expiresAt: string }[] };
    };
    const [wanted] = shown.outcome.interrupts;
    const [given] = ended.outcome.interrupts;
    const { id, toolCallId, expiresAt, ...rest } = given ?? ({} as NonNullable<typeof given>);
    expect(toolCallId).toBe(id);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(wanted).toMatchObject(rest);
    expect({ ...ended, outcome: 0 }).toEqual({ ...shown, outcome: 0 });
  });

  it('names the events that there are', async () => {
    guide.model.push({ reasoning: 'Hm.', text: 'Let me see.', ...find }, 'It is open.');
    const types = new Set<string>();
    agent.addMessage({ id: 'q', role: 'user', content: 'And order 17?' });
    await agent.runAgent({}, { onEvent: ({ event }) => void types.add(event.type) });
    const named = guideRows('ag-ui').flatMap(([, second = '']) =>
      [...second.matchAll(/[A-Z]+(?:_[A-Z]+)+/g)].map(([name]) => name),
    );
    for (const type of types) expect(named).toContain(type);
  });

  it('says what is not for visitors', async () => {
    const body = { threadId: 'main', runId: 'r', messages: [] };
    const response = await fetch(`${guide.url}/agent/ag-ui`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(404);
    expect(TEXT).toContain('404 `session_not_found`');
  });
});
