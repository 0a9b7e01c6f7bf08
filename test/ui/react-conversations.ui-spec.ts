import { ScriptedModel } from 'nestjs-agent/testing';
import type { Page } from 'playwright-core';
import { useReactPages } from './support/react-browser';
import { ReactChat } from './support/react-chat';

describe('conversations in the pages in React', () => {
  const model = new ScriptedModel([]);
  const app = useReactPages(model);
  const conversations = (page: Page) => page.getByLabel('Conversations');

  it('begun in one page go on in another', async () => {
    model.push('Hello from useChat.', 'Hello from AG-UI.');
    const chat = new ReactChat(await app.logIn('/use-chat.html', 'alice'));
    await chat.say('the first question');
    await chat.shows('Hello from useChat.');
    await chat.page.goto(chat.page.url().replace('use-chat', 'ag-ui'));
    await chat.shows('Hello from useChat.');
    await chat.say('the second question');
    await chat.shows('Hello from AG-UI.');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('the first question');
  });

  it('are listed, and opened from the list', async () => {
    model.push('One.', 'Two.');
    const chat = new ReactChat(await app.logIn('/assistant-ui.html', 'carol'));
    const { page } = chat;
    await chat.say('about apples');
    await chat.shows('One.');
    const first = page.url();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.waitForURL((url) => url.href !== first);
    await chat.say('about pears');
    await chat.shows('Two.');
    await conversations(page).selectOption({ label: 'about apples' });
    await chat.shows('One.');
    expect(await chat.count('about pears')).toBe(0);
  });

  it.each(['/use-chat.html', '/assistant-ui.html', '/ag-ui.html'])(
    'of somebody else show nothing in %s',
    async (path) => {
      model.push('A secret.', 'Nice to meet you.');
      const hers = new ReactChat(await app.logIn('/use-chat.html', 'alice'));
      await hers.say('tell me a secret');
      await hers.shows('A secret.');
      const his = new ReactChat(await app.logIn(path, 'mallory'));
      await his.page.goto(`${path}${new URL(hers.page.url()).search}`);
      await his.message.waitFor();
      expect(await his.count('secret')).toBe(0);
      await his.say('hello');
      await his.shows('Nice to meet you.');
      expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('secret');
      await hers.page.reload();
      await hers.shows('A secret.');
      expect(await hers.count('Nice to meet you.')).toBe(0);
    },
  );

  it('do not begin with a wrong token', async () => {
    const page = await app.open();
    await page.goto('/use-chat.html');
    await page.getByLabel('Name').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('The token is wrong.').waitFor();
  });

  it.each([
    ['/use-chat.html', '**/agent/ai-sdk'],
    ['/assistant-ui.html', '**/agent/ai-sdk'],
    ['/ag-ui.html', '**/agent/ag-ui'],
  ])('tell what went wrong in %s', async (path, endpoint) => {
    const chat = new ReactChat(await app.logIn(path, 'dave'));
    await chat.page.route(endpoint, (route) =>
      route.fulfill({ status: 429, json: { code: 'rate_limited', message: 'Not so fast.' } }),
    );
    await chat.say('hello');
    await chat.page.getByRole('alert').getByText('Not so fast.').waitFor();
  });
});
