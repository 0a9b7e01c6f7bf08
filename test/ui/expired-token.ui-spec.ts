import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import type { Page } from 'playwright-core';
import { useLine } from './support/breakable-line';
import { type ChatPage, logIn } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { deploy, FINISH, text } from './support/script';

const KEY = 'platform.headers';
const NOT_LOGGED_IN = 'You are not logged in.';

describe('the chat whose token expired', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);
  const line = useLine(demo);

  const said = (text: string): number =>
    JSON.stringify(model.requests.at(-1)?.messages).split(text).length - 1;
  /** The page has loaded everything: no request is in flight when the token expires. */
  const arrive = async (address?: string): Promise<ChatPage> => {
    const chat = await demo.logIn('alice', {}, address);
    await chat.page.getByText('Some of what you can ask for').waitFor();
    return chat;
  };
  /** Resolves with a function that restores the tab's token. */
  const expire = async (page: Page): Promise<() => Promise<unknown>> => {
    const headers = await page.evaluate<string>(`sessionStorage.getItem('${KEY}')`);
    const set = (value: string): Promise<unknown> =>
      page.evaluate(`sessionStorage.setItem('${KEY}', ${JSON.stringify(value)})`);
    await set('{"authorization":"Bearer expired"}');
    return () => set(headers);
  };
  /** As on a page that asks for a log-in beside the chat. */
  const stay = (page: Page): Promise<unknown> =>
    page.evaluate(`addEventListener('agent-unauthorized', (event) => {
      event.stopImmediatePropagation();
      window.asked = (window.asked ?? 0) + 1;
      window.kept = event.target.draft;
    }, true)`);
  const logInAgain = async (page: Page): Promise<void> => {
    await page.waitForURL(/\/login\?return=/);
    await logIn(page, 'alice');
    await page.waitForURL(/\/agent\/ui/);
  };

  it('keeps the message over the log-in, with the conversation, and sends it once', async () => {
    const chat = await arrive();
    model.push('Noted.', 'Noted too.');
    await chat.ask('the first message');
    await expire(chat.page);
    await chat.message.fill('the second message');
    await chat.button('Send').click();
    await logInAgain(chat.page);
    await chat.shows('Noted.');
    expect(await chat.message.inputValue()).toBe('the second message');
    await chat.button('Send').click();
    await chat.shows('Noted too.');

    expect(said('the second message')).toBe(1);
    expect(await chat.page.evaluate(`sessionStorage.getItem('agent-chat.draft')`)).toBeNull();
  });

  it('goes to the log-in where the browser denies the storage of the headers', async () => {
    const page = await demo.open();
    await page.addInitScript(`Object.defineProperty(window, 'sessionStorage', {
      get() { throw new DOMException('denied', 'SecurityError'); },
    })`);
    await page.goto('/agent/ui');
    await page.waitForURL(/\/login\?return=/);
  });

  it('keeps what was being written when the list of sessions met it', async () => {
    const chat = await arrive();
    await expire(chat.page);
    await chat.message.fill('half a mess');
    await chat.history.click();
    await logInAgain(chat.page);

    await chat.message.and(chat.page.locator(':not(:placeholder-shown)')).waitFor();
    expect(await chat.message.inputValue()).toBe('half a mess');
  });

  it('keeps a message that was on its way when another request met the log-in', async () => {
    const chat = await arrive();
    const { page } = chat;
    await expire(page);
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.route('**/agent/chat/stream', async (route) => {
      await refused;
      await route.continue();
    });
    await chat.message.fill('on its way');
    await chat.button('Send').click();
    await chat.history.click();
    await logInAgain(page);

    await chat.message.and(page.locator(':not(:placeholder-shown)')).waitFor();
    expect(await chat.message.inputValue()).toBe('on its way');
  });

  it('finds its conversation again where loading it met the log-in', async () => {
    const chat = await arrive();
    model.push('Noted.');
    await chat.ask('the first message');
    await expire(chat.page);
    await chat.page.reload();
    await logInAgain(chat.page);

    await chat.shows('Noted.');
  });

  it('gives the message back to a page that asks for the log-in itself', async () => {
    const chat = await arrive();
    const restore = await expire(chat.page);
    await stay(chat.page);
    await chat.message.fill('only once');
    await chat.button('Send').click();
    await chat.page.getByRole('alert').getByText(NOT_LOGGED_IN).waitFor();
    expect(await chat.message.inputValue()).toBe('only once');
    expect(await chat.log.locator('.turn').count()).toBe(0);
    await chat.page.waitForFunction('window.asked > 0');
    expect(await chat.page.evaluate('[window.asked, window.kept]')).toEqual([1, 'only once']);
    await restore();
    model.push('Heard.');
    await chat.button('Send').click();
    await chat.shows('Heard.');

    expect(said('only once')).toBe(1);
    expect(await chat.page.getByText(NOT_LOGGED_IN).count()).toBe(0);
  });

  it('leaves an approval open that met it', async () => {
    const chat = await arrive();
    model.push(deploy('5.0.0'), 'It is out.');
    await chat.ask('deploy it');
    const restore = await expire(chat.page);
    await stay(chat.page);
    await chat.card('Deploy application').getByLabel('version').fill('5.0.1');
    await chat.button('Approve').click();
    await chat.log.getByRole('alert').getByText(NOT_LOGGED_IN).waitFor();
    await restore();
    await chat.button('Approve').click();
    await chat.shows('It is out.');

    expect(said('5.0.1')).toBeGreaterThan(0);
  });

  it('follows an answer on after the log-in, and asks for it only once', async () => {
    const middle = new Barrier();
    model.push([text('First half,'), middle, text(' second half.'), FINISH]);
    const chat = await arrive(line.address);
    await chat.say('tell me');
    await chat.shows('First half,');
    const restore = await expire(chat.page);
    await stay(chat.page);
    line.cut();
    line.restore();
    await chat.page.getByRole('alert').getByText(NOT_LOGGED_IN).waitFor();
    middle.open();
    const runs = model.requests.length;
    await restore();
    await chat.page.getByRole('button', { name: 'Retry' }).click();

    await chat.log.getByText('First half, second half.', { exact: true }).waitFor();
    await chat.idle();
    expect(model.requests.length).toBe(runs);
  });

  it('goes on by itself where the page sets new headers', async () => {
    const chat = await arrive();
    model.push('Noted.');
    await chat.ask('the first message');
    const { page } = chat;
    const session = await page.evaluate<string>(`document.querySelector('agent-chat').session`);
    const restore = await expire(page);
    await stay(page);
    await page.evaluate(`document.querySelector('agent-chat').session = '${session}'`);
    await page.getByRole('alert').getByText(NOT_LOGGED_IN).waitFor();
    await restore();
    await page.evaluate(
      `document.querySelector('agent-chat').headers = JSON.parse(sessionStorage.getItem('${KEY}'))`,
    );

    await chat.shows('Noted.');
    expect(await page.getByText(NOT_LOGGED_IN).count()).toBe(0);
  });

  it('sends the message that met it once the token is renewed, and asks once for all', async () => {
    const chat = await arrive();
    const { page } = chat;
    const restore = await expire(page);
    await stay(page);
    await page.evaluate(`
      window.renewals = 0;
      document.querySelector('agent-chat').refresh = () => new Promise((resolve) => {
        window.renewals += 1;
        window.renewed = resolve;
      });
    `);
    model.push('Heard.');
    await chat.say('only once');
    await chat.history.click();
    await restore();
    await page.waitForFunction('window.renewals > 0');
    await page.evaluate('window.renewed()');
    await chat.shows('Heard.');
    await page.getByRole('region', { name: 'Past sessions' }).getByText('Loading…').waitFor({
      state: 'detached',
    });

    expect(await page.evaluate('[window.renewals, window.asked]')).toEqual([1, undefined]);
    expect(said('only once')).toBe(1);
  });

  it.each([
    ['rejects', `() => Promise.reject(new Error('no'))`],
    ['answers headers that the server refuses too', `async () => ({ authorization: 'Bearer x' })`],
  ])('asks for a log-in where the renewal %s', async (_how, refresh) => {
    const chat = await arrive();
    await chat.page.evaluate(`document.querySelector('agent-chat').refresh = ${refresh}`);
    await expire(chat.page);
    await chat.message.fill('only once');
    await chat.button('Send').click();
    await logInAgain(chat.page);

    await chat.message.and(chat.page.locator(':not(:placeholder-shown)')).waitFor();
    expect(await chat.message.inputValue()).toBe('only once');
  });
});
