import { AbstractChat, type ChatInit, type UIMessage } from 'ai';
import { Barrier } from 'nestjs-agent/testing';
import { PlainState } from '../../../test/front-ends/ai-sdk/chat';
import { GuideApp } from '../../../test/support/guide-app';
import { AppModule, OrdersController } from './app.module';
import { connect, connectBriefly, historyOf, isAnswered, runInPage, stop, threads } from './chat';

/** `useChat` without React. */
class Page extends AbstractChat<UIMessage> {
  constructor({ messages = [], ...init }: ChatInit<UIMessage>) {
    super({ ...init, state: new PlainState(messages) });
  }

  get text(): string {
    const parts = this.lastMessage?.parts ?? [];
    return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  async settled(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.status === 'submitted' || this.status === 'streaming');
  }
}

describe('the guide to the AI SDK', () => {
  let guide: GuideApp;
  let agent: string;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
    agent = `${guide.url}/agent`;
  });
  afterAll(() => guide.close());

  it('approves a call, runs a tool in the page, and sends both together', async () => {
    guide.model.push(
      {
        toolCalls: [
          { name: 'cancel_order', input: { id: 17 } },
          { name: 'open_order', input: { id: 17 } },
        ],
      },
      'Order 17 is cancelled.',
    );
    const opened: number[] = [];
    const open = (id: number): string => `order ${opened.push(id)}`;
    const page: Page = new Page({
      id: 'first',
      transport: connect(() => 'ada', agent),
      sendAutomaticallyWhen: isAnswered,
      onToolCall: ({ toolCall }) => runInPage(page, open, toolCall),
    });
    await page.sendMessage({ text: 'Cancel order 17' });
    await page.settled();
    expect(opened).toEqual([17]);
    const asked = page.lastMessage?.parts.find((part) => 'approval' in part);
    expect(asked).toMatchObject({ state: 'approval-requested', type: 'tool-cancel_order' });
    const { id } = (asked as { approval: { id: string } }).approval;
    await page.addToolApprovalResponse({ id, approved: true });
    await page.settled();
    expect(page.error).toBeUndefined();
    expect(page.text).toBe('Order 17 is cancelled.');
    expect(guide.app.get(OrdersController).cancelled).toEqual([17]);
  });

  it('tells the page why its tool failed', async () => {
    guide.model.push({ toolCalls: [{ name: 'open_order', input: { id: 9 } }] }, 'I see.');
    const open = (): string => {
      throw new Error('No such row.');
    };
    const page: Page = new Page({
      id: 'failing',
      transport: connect(() => 'ada', agent),
      sendAutomaticallyWhen: isAnswered,
      onToolCall: ({ toolCall }) => runInPage(page, open, toolCall),
    });
    await page.sendMessage({ text: 'Open order 9' });
    await page.settled();
    expect(page.text).toBe('I see.');
    expect(JSON.stringify(guide.model.requests.at(-1)?.messages)).toContain('No such row.');
  });

  it('lists threads, and loads one', async () => {
    guide.model.push('Hello.', 'Again.');
    const page = new Page({ id: 'main', transport: connect(() => 'grace', agent) });
    await page.sendMessage({ text: 'Hi there' });
    const [thread] = await threads('grace', agent);
    expect(thread).toEqual({ id: expect.stringMatching(/^ses_/), title: 'Hi there' });
    const messages = await historyOf(thread?.id ?? '', 'grace', agent);
    expect(messages).toEqual(await historyOf('main', 'grace', agent));
    expect(await historyOf('new', 'grace', agent)).toEqual([]);
    const briefly = new Page({
      id: thread?.id ?? '',
      messages,
      transport: connectBriefly(() => 'grace', agent),
    });
    await briefly.sendMessage({ text: 'And?' });
    expect(briefly.text).toBe('Again.');
  });

  it('stops a run whose page resumed it', async () => {
    const barrier = new Barrier();
    guide.model.push([{ type: 'text.delta', delta: 'Well' }, barrier]);
    const transport = connect(() => 'ada', agent);
    const page = new Page({ id: 'stopped', transport });
    const sending = page.sendMessage({ text: 'Hi' });
    await barrier.reached;
    await page.stop();
    await sending;
    const messages = await historyOf('stopped', 'ada', agent);
    const reloaded = new Page({ id: 'stopped', messages, transport });
    const resuming = reloaded.resumeStream();
    while (reloaded.text !== 'Well') await new Promise((resolve) => setImmediate(resolve));
    const { id, stop: disconnect } = reloaded; // `useChat` gives these as values
    await stop({ id, stop: disconnect }, 'ada', agent);
    await resuming;
    const { body } = await guide.get('/agent/sessions');
    expect((body as { run: object }[])[0]).toMatchObject({ run: { status: 'cancelled' } });
  });
});
