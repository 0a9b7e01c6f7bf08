import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import { ChatPage, isFocused } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { deploy } from './support/script';

/** Runs in the page. */
const isOpaque = (node: { checkVisibility(options: object): boolean }): boolean =>
  node.checkVisibility({ opacityProperty: true });

describe('the list of past sessions', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);
  const HEADERS = `sessionStorage.getItem('platform.headers')`;

  it('shows the newest 50, and the others when they are asked for', async () => {
    const chat = await demo.logIn('alice');
    model.push(...Array.from({ length: 52 }, () => 'Noted.'));
    await chat.page.evaluate(`(async () => {
      const { headers } = document.querySelector('agent-chat');
      const own = typeof headers === 'function' ? await headers() : headers;
      for (let number = 1; number <= 52; number += 1) {
        const body = JSON.stringify({ message: 'question ' + number });
        const init = { method: 'POST', headers: { ...own, 'content-type': 'application/json' }, body };
        const response = await fetch('/agent/chat', init);
        if (!response.ok) throw new Error(await response.text());
      }
    })()`);
    await chat.history.click();
    const panel = chat.panel;
    const rows = panel.locator('.session');
    const more = panel.getByRole('button', { name: 'Show more' });
    await more.waitFor();
    expect(await rows.count()).toBe(50);
    expect(await rows.first().innerText()).toContain('question 52');
    await more.click();
    await rows.nth(51).waitFor();
    expect(await rows.count()).toBe(52);
    expect(await rows.nth(50).innerText()).toContain('question 2');
    expect(await rows.nth(50).evaluate(isFocused)).toBe(true);
    expect(await more.count()).toBe(0);
  });

  it('keeps the focus where there are no others after all', async () => {
    const chat = await demo.logIn('alice');
    const lastUsedAt = new Date().toISOString();
    const all = Array.from({ length: 50 }, (_, id) => ({ sessionId: `s${id}`, lastUsedAt }));
    await chat.page.route(/\/agent\/sessions\?/, (route) =>
      route.fulfill({ json: route.request().url().includes('offset=0') ? all : [] }),
    );
    await chat.history.click();
    const more = chat.panel.getByRole('button', { name: 'Show more' });
    await more.press('Enter');
    await more.waitFor({ state: 'detached' });
    expect(await chat.panel.evaluate(isFocused)).toBe(true);
  });

  it('covers nothing of the conversation that the keyboard reaches, on a narrow page', async () => {
    const chat = await demo.logIn('alice', { viewport: { width: 375, height: 700 } });
    const { page, panel, regenerate } = chat;
    model.push('Noted.');
    await chat.ask('a question');
    await chat.history.click();
    const isShown = () => panel.evaluate(isOpaque);
    expect(await panel.evaluate(isFocused)).toBe(true);
    expect(await isShown()).toBe(true);

    await page.keyboard.press('Shift+Tab');
    expect(await regenerate.evaluate(isFocused)).toBe(true);
    expect(await isShown()).toBe(false);
    for (let step = 0; step < 9 && !(await chat.log.evaluate(isFocused)); step += 1) {
      await page.keyboard.press('Shift+Tab');
    }
    expect(await chat.log.evaluate(isFocused)).toBe(true);
    expect(await isShown()).toBe(false);
    await panel.focus();
    await page.keyboard.press('Tab');
    expect(await panel.getByRole('button').first().evaluate(isFocused)).toBe(true);
    expect(await isShown()).toBe(true);
  });

  it('reads the messages of a session once, also without knowing its last run', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.');
    await chat.ask('a question');
    const reads: string[] = [];
    chat.page.on('request', (request) => {
      if (request.url().endsWith('/messages')) reads.push(request.url());
    });
    await chat.page.evaluate(`(async () => {
      const chat = document.querySelector('agent-chat');
      const { session } = chat;
      chat.newSession();
      await chat.openSession(session);
    })()`);
    await chat.shows('Noted.');
    expect(reads).toHaveLength(1);
  });

  it('deletes a session only after a question, which Escape and a double click decline', async () => {
    const chat = await demo.logIn('alice');
    const { page, panel } = chat;
    const deletions: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') deletions.push(request.url());
    });
    model.push('Noted.');
    await chat.ask('keep me');
    await chat.history.click();
    const bin = panel.getByRole('button', { name: 'Delete session: keep me' });
    const question = panel.getByRole('group', { name: 'Delete session: keep me' });
    const cancel = question.getByRole('button', { name: 'Cancel' });
    await bin.focus();
    await page.keyboard.press('Enter');
    expect(await cancel.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await bin.evaluate(isFocused)).toBe(true);
    const { x, y, width, height } = (await bin.boundingBox())!;
    await page.mouse.dblclick(x + width / 2, y + height / 2);
    await bin.waitFor();
    expect(deletions).toEqual([]);

    await bin.click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await chat.page.getByRole('heading', { name: 'How can I help?' }).waitFor();
    expect(deletions).toHaveLength(1);
  });

  it('opens the session of an address that is entered in the same tab', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.', 'Noted.');
    await chat.ask('the first one');
    const address = chat.page.url();
    await chat.button('New session').click();
    await chat.ask('the second one');
    await chat.page.goto(address);
    await chat.shows('the first one');
    await chat.page.goto(address.replace(/#.*/, '#'));
    await chat.page.getByRole('heading', { name: 'How can I help?' }).waitFor();
  });

  it('begins a new session where a page has none to show, as an empty storage says it', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.');
    await chat.ask('a question');
    await chat.page.evaluate(`document.querySelector('agent-chat').session = null`);
    await chat.page.getByRole('heading', { name: 'How can I help?' }).waitFor();
    model.push('Noted too.');
    await chat.ask('another question');
    expect(await chat.text()).not.toContain('a question');
    expect(await chat.page.getByRole('alert').count()).toBe(0);
  });

  it('shows a user who logs in nothing of the one before', async () => {
    const chat = await demo.logIn('alice');
    const { page, panel } = chat;
    const bob = await (await demo.logIn('bob')).page.evaluate<string>(HEADERS);
    const become = (headers: string) =>
      page.evaluate(`document.querySelector('agent-chat').headers = ${headers}`);
    const alice = await page.evaluate<string>(HEADERS);
    model.push('Noted.');
    await chat.ask('of alice');
    await chat.history.click();
    await panel.getByText('of alice').waitFor();
    await become(bob);
    await panel.getByText('There are none yet.').waitFor();

    await chat.history.click();
    await become(alice);
    const late = new Barrier();
    await page.route('**/agent/sessions?*', async (route) => {
      const response = await route.fetch();
      if (route.request().headers()['authorization'] !== JSON.parse(bob).authorization) {
        await late.pass();
      }
      await route.fulfill({ response });
    });
    const asked = page.waitForRequest('**/agent/sessions?*');
    await chat.history.click();
    const answered = (await asked).response();
    await become(bob);
    await panel.getByText('There are none yet.').waitFor();
    late.open();
    await (await answered)?.finished();
    await become(bob);
    await panel.getByText('There are none yet.').waitFor();
    expect(await panel.locator('.session').count()).toBe(0);
  });

  it('lists anew by itself where the browser has no channel to other tabs', async () => {
    const chat = await demo.logIn('alice');
    const { page, panel } = chat;
    await page.addInitScript(`window.BroadcastChannel = class {
      constructor() { throw new DOMException('No storage', 'SecurityError'); }
    }`);
    await page.reload();
    await chat.history.click();
    model.push('Noted.');
    await chat.ask('without a channel');
    await panel.getByRole('button', { name: /^without a channel/ }).waitFor();
  });

  describe('where another tab has the same user', () => {
    const GONE = 'That conversation is no longer there.';
    /** Another tab, at the same address. */
    const another = async ({ page }: ChatPage): Promise<ChatPage> => {
      const headers = JSON.stringify(await page.evaluate<string>(HEADERS));
      const other = await page.context().newPage();
      await other.addInitScript(`sessionStorage.setItem('platform.headers', ${headers})`);
      await other.goto(page.url());
      return new ChatPage(other);
    };
    /** As from another device: no tab is notified. */
    const removeUnheard = ({ page }: ChatPage): Promise<unknown> =>
      page.evaluate(`fetch('/agent/sessions/' + document.querySelector('agent-chat').session, {
        method: 'DELETE', headers: JSON.parse(${HEADERS}),
      })`);

    it('lists what the other one begins, and no longer what it deletes', async () => {
      const chat = await demo.logIn('alice');
      model.push('Noted.', 'Noted.');
      await chat.ask('of the first tab');
      const other = await another(chat);
      await chat.history.click();
      await chat.panel.getByRole('button', { name: /^of the first tab/ }).waitFor();
      await other.button('New session').click();
      await other.ask('of the other tab');
      const rows = chat.panel.locator('.session-title');
      await rows.getByText('of the other tab').waitFor();
      expect((await rows.allInnerTexts()).slice(0, 2)).toEqual([
        'of the other tab',
        'of the first tab',
      ]);
      model.push('Noted.');
      await chat.ask('once more');
      await chat.page.waitForFunction(`document.querySelector('agent-chat').shadowRoot
        .querySelector('.session-title').textContent === 'of the first tab'`);

      await other.history.click();
      await other.panel.getByRole('button', { name: 'Delete session: of the first tab' }).click();
      await other.panel.getByRole('button', { name: 'Delete', exact: true }).click();
      await chat.panel.getByText('of the first tab').waitFor({ state: 'detached' });
      await chat.page.getByRole('alert').getByText(GONE).waitFor();
    });

    it('hears nothing while it is off the page, and all again once it is back', async () => {
      const chat = await demo.logIn('alice');
      const { page } = chat;
      model.push('Noted.', 'Noted.');
      await chat.ask('taken off the page');
      const other = await another(chat);
      await page.evaluate(`(() => {
        window.chat = document.querySelector('agent-chat');
        window.chat.remove();
        const channel = new BroadcastChannel('agent-chat');
        window.told = new Promise((resolve) => (channel.onmessage = () => setTimeout(resolve)));
      })()`);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await other.history.click();
      await other.panel.getByRole('button', { name: 'Delete session: taken off the page' }).click();
      await other.panel.getByRole('button', { name: 'Delete', exact: true }).click();
      // Listeners on this page were notified first, so their request precedes this one.
      await page.evaluate(`window.told.then(() => fetch('/agent/health?last')).then(() => {})`);
      expect(requests).toEqual([`${demo.address}/agent/health?last`]);

      await page.evaluate('document.body.append(window.chat)');
      await chat.history.click();
      await other.ask('heard again');
      await chat.panel.getByRole('button', { name: /^heard again/ }).waitFor();
    });

    it('leaves a session that was deleted with what is being written', async () => {
      const chat = await demo.logIn('alice');
      model.push('Noted.', 'Noted.');
      await chat.ask('to be deleted');
      await chat.message.fill('half a mess');
      const other = await another(chat);
      await other.history.click();
      await other.panel.getByRole('button', { name: 'Delete session: to be deleted' }).click();
      await other.panel.getByRole('button', { name: 'Delete', exact: true }).click();
      await chat.page.getByRole('alert').getByText(GONE).waitFor();
      expect(await chat.message.inputValue()).toBe('half a mess');
      await chat.button('Send').click();
      await chat.shows('Noted.');
    });

    it.each([
      [
        'a message',
        'Noted.',
        async (chat: ChatPage) => {
          await chat.message.fill('to be kept');
          await chat.button('Send').click();
        },
      ],
      [
        'Retry',
        new Error('the model failed'),
        (chat: ChatPage) => chat.page.getByRole('button', { name: 'Retry' }).click(),
      ],
    ])('keeps the message where %s meets a deleted session', async (_what, answer, act) => {
      const chat = await demo.logIn('alice');
      model.push(answer);
      await chat.ask('to be kept');
      await removeUnheard(chat);
      await act(chat);
      await chat.page.getByRole('alert').getByText(GONE).waitFor();
      await chat.message.and(chat.page.locator(':not(:placeholder-shown)')).waitFor();
      expect(await chat.message.inputValue()).toBe('to be kept');
      model.push('Heard.');
      await chat.button('Send').click();
      await chat.shows('Heard.');
    });

    it('says so where an approval meets a deleted session', async () => {
      const chat = await demo.logIn('alice');
      model.push(deploy('7.0.0'));
      await chat.ask('deploy it');
      await removeUnheard(chat);
      await chat.button('Approve').click();
      await chat.page.getByRole('alert').getByText(GONE).waitFor();
    });
  });
});
