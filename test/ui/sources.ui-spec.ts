import { Test } from '@nestjs/testing';
import { AgentModule, defineTool, ToolRegistry } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { AppBrowser, during } from './support/app-browser';
import { ChatPage } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { answerWith, FINISH, remove, text } from './support/script';

/** Looks at an answer as it was streamed, and as it is read again. */
async function twice(chat: ChatPage, look: () => Promise<void>): Promise<void> {
  await look();
  await chat.page.reload();
  await look();
}

describe('beside the words of an answer', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('are its sources, each once, as links that leave the page', async () => {
    model.push([
      text('It is in the guides.'),
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
    model.push([search, again, text('It is sunny.'), FINISH]);
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
    const chat = await demo.logIn('alice');
    const message = 'The picture was not <b>seen</b>.';
    const notice = { type: 'notice', code: 'attachment_not_seen', message };
    await answerWith(chat.page, notice, text('What picture?'));
    await chat.ask('look at this');
    await chat.log.getByRole('status').getByText(message).waitFor();
    expect(await chat.page.getByRole('alert').count()).toBe(0);
  });

  it('is what a call came to that the user declined', async () => {
    model.push(remove('api-gateway'), 'I left it.');
    const chat = await demo.logIn('bob');
    await chat.ask('delete the gateway');
    await chat.button('Reject').click();
    await chat.shows('I left it.');
    await twice(chat, () => chat.endsAs('Delete application', 'Declined'));
  });

  it('is what a call came to that a new message declined', async () => {
    model.push(remove('api-gateway'), 'Fine.');
    const chat = await demo.logIn('bob');
    await chat.ask('delete the gateway');
    await chat.ask('never mind');
    await chat.shows('Fine.');
    await twice(chat, () => chat.endsAs('Delete application', 'Declined'));
  });
});

describe('an approval that comes too late', () => {
  const model = new ScriptedModel([{ toolCalls: [{ name: 'ring' }] }]);
  const late = during(
    new AppBrowser(async () => {
      // Approvals wait as long as an unused session is kept: not even until the button is there.
      const agent = AgentModule.forRoot({
        model,
        permissions: { ring: 'ask' },
        sessions: { expireAfterMs: 1 },
      });
      const testing = await Test.createTestingModule({ imports: [agent] }).compile();
      const ring = { name: 'ring', description: 'Ring the bell', execute: () => 'rung' };
      testing.get(ToolRegistry).register(defineTool(ring));
      return testing.createNestApplication({ logger: false });
    }),
  );

  it('is told, live and again, and nothing ran', async () => {
    const page = await late.open();
    await page.goto('/agent/ui');
    const chat = new ChatPage(page);
    await chat.ask('ring the bell');
    await chat.button('Approve').click();
    await twice(chat, () => chat.endsAs('Ring', 'Expired'));
    expect(await chat.text()).not.toContain('rung');
  });
});
