import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, defineTool, ToolRegistry } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { chromium, type Browser } from 'playwright-core';
import { ChatPage } from './support/chat-page';
import { CHROMIUM_FLAGS, chromiumPath, throttle } from './support/chromium';
import { DemoBrowser, STEP_MS } from './support/demo-browser';

jest.setTimeout(3 * STEP_MS);

const FINISH = { type: 'finish', reason: 'end_turn' } as const;

/** Looks at an answer as it was streamed, and as it is read again. */
async function twice(chat: ChatPage, look: () => Promise<void>): Promise<void> {
  await look();
  await chat.page.reload();
  await look();
}

describe('beside the words of an answer', () => {
  const model = new ScriptedModel([]);
  let demo: DemoBrowser;
  beforeAll(async () => {
    demo = await DemoBrowser.start(model);
  });
  afterEach(() => demo.closePages());
  afterAll(() => demo.close());

  it('are its sources, each once, as links that leave the page', async () => {
    model.push([
      { type: 'text.delta', delta: 'It is in the guides.' },
      { type: 'source', url: 'https://example.com/guide', title: 'The guide' },
      { type: 'source', url: 'https://example.com/guide', title: 'The guide again' },
      { type: 'source', url: 'http://docs.example.org/a?b=1' },
      FINISH,
    ]);
    const chat = await demo.logIn('alice');
    await chat.ask('where is it written?');
    await twice(chat, async () => {
      const list = chat.log.getByRole('region', { name: 'Sources' });
      await list.waitFor();
      const links = await list.getByRole('link').all();
      const shown = links.map(async (link) => [
        await link.innerText(),
        ...(await Promise.all(['href', 'target', 'rel'].map((name) => link.getAttribute(name)))),
      ]);
      expect(await Promise.all(shown)).toEqual([
        ['The guide', 'https://example.com/guide', '_blank', 'noopener noreferrer'],
        ['docs.example.org', 'http://docs.example.org/a?b=1', '_blank', 'noopener noreferrer'],
      ]);
      expect(await list.getByRole('listitem').first().innerText()).toMatch(/example\.com$/);
    });
  });

  it('are the tools that the provider of the model ran, with what they took and gave', async () => {
    const search = {
      type: 'provider_tool',
      id: 'search_1',
      name: 'web_search',
      input: { query: 'weather' },
      output: [{ title: 'Sunny' }],
    } as const;
    const again = { ...search, id: 'search_2', input: { query: 'wind' } };
    model.push([search, again, { type: 'text.delta', delta: 'It is sunny.' }, FINISH]);
    const chat = await demo.logIn('alice');
    await chat.ask('how is the weather?');
    await twice(chat, async () => {
      await chat.endsAs('Web search', 'Done');
      const cards = chat.card('Web search');
      expect(await cards.count()).toBe(2);
      const card = cards.first();
      await card.locator('summary').click();
      expect(await card.innerText()).toContain('ran at the provider of the model');
      expect(await card.getByRole('group', { name: 'Arguments' }).innerText()).toContain('weather');
      expect(await card.getByRole('group', { name: 'Result' }).innerText()).toContain('Sunny');
      expect(await chat.text()).toMatch(/Web search[^]*Web search[^]*It is sunny\./);
    });
  });

  it('are notices, in a quiet line', async () => {
    const events = [
      { type: 'run.started', sessionId: 's', model: 'm' },
      { type: 'notice', code: 'attachment_not_seen', message: 'The picture was not <b>seen</b>.' },
      { type: 'text.delta', delta: 'What picture?' },
      { type: 'run.finished', status: 'completed', message: '', pendingActions: [] },
    ].map((event, index) => ({ ...event, runId: 'r', seq: index + 1 }));
    const chat = await demo.logIn('alice');
    await chat.page.route('**/agent/chat/stream', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
      }),
    );
    await chat.ask('look at this');
    const notice = chat.log.getByRole('status').getByText('The picture was not <b>seen</b>.');
    await notice.waitFor();
    expect(await chat.page.getByRole('alert').count()).toBe(0);
  });

  it('is what a call came to that the user declined', async () => {
    model.push(
      { toolCalls: [{ name: 'delete_application', input: { name: 'api-gateway' } }] },
      'I left it.',
    );
    const chat = await demo.logIn('bob');
    await chat.ask('delete the gateway');
    await chat.button('Reject').click();
    await chat.shows('I left it.');
    await twice(chat, () => chat.endsAs('Delete application', 'Declined'));
  });

  it('is what a call came to that a new message declined', async () => {
    model.push(
      { toolCalls: [{ name: 'delete_application', input: { name: 'api-gateway' } }] },
      'Fine.',
    );
    const chat = await demo.logIn('bob');
    await chat.ask('delete the gateway');
    await chat.ask('never mind');
    await chat.shows('Fine.');
    await twice(chat, () => chat.endsAs('Delete application', 'Declined'));
  });
});

describe('an approval that comes too late', () => {
  const model = new ScriptedModel([{ toolCalls: [{ name: 'ring' }] }]);
  let app: INestApplication;
  let browser: Browser;
  beforeAll(async () => {
    // Approvals wait as long as an unused session is kept: not even until the button is there.
    const agent = AgentModule.forRoot({
      model,
      permissions: { ring: 'ask' },
      sessions: { expireAfterMs: 1 },
    });
    const testing = await Test.createTestingModule({ imports: [agent] }).compile();
    app = testing.createNestApplication({ logger: false });
    const ring = { name: 'ring', description: 'Ring the bell', execute: () => 'rung' };
    app.get(ToolRegistry).register(defineTool(ring));
    await app.listen(0, '127.0.0.1');
    browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('is told, live and again, and nothing ran', async () => {
    const page = await browser.newPage({ baseURL: await app.getUrl() });
    page.setDefaultTimeout(STEP_MS);
    await throttle(page);
    await page.goto('/agent/ui');
    const chat = new ChatPage(page);
    await chat.ask('ring the bell');
    await chat.button('Approve').click();
    await twice(chat, () => chat.endsAs('Ring', 'Expired'));
    expect(await chat.text()).not.toContain('rung');
  });
});
