import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import { useDemo } from './support/demo-browser';
import { ChatPage, isFocused } from './support/chat-page';
import { deploy, FINISH, text } from './support/script';
import { violations } from './support/violations';

const RICH = `Here is a **plan** with [a link](https://example.com/) and \`code\`:

| app | version |
|---|---|
| demo-app | 2.4.1 |

\`\`\`sh
npm ci && npm start
\`\`\`

> Quoted.
`;

describe.each([
  ['light', 1200],
  ['dark', 1200],
  ['light', 320],
  ['dark', 320],
] as const)('the pages in %s, %i pixels wide', (colorScheme, width) => {
  const model = new ScriptedModel([]);
  const options = { colorScheme, viewport: { width, height: 800 } };
  const demo = useDemo(model);

  it('break no rule of axe-core, and fit the screen', async () => {
    const { page } = await demo.logIn('bob', options);
    const chat = new ChatPage(page);
    await page.getByText('Some of what you can ask for').waitFor();
    expect(await violations(page)).toEqual([]);

    model.push([
      { type: 'provider_tool', id: 'search', name: 'web_search', input: { query: 'plans' } },
      text('It is written there.'),
      { type: 'source', url: 'https://example.com/plans', title: 'All plans' },
      { type: 'source', url: 'https://example.org/' },
      FINISH,
    ]);
    await chat.ask('where is it written?');
    await chat.regenerate.waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.keyboard.press('Escape');

    model.push(
      { reasoning: 'A plan is wanted.', text: RICH, toolCalls: [{ name: 'list_applications' }] },
      { toolCalls: [{ name: 'get_application', input: { name: 'none' } }] },
      {
        toolCalls: [
          { name: 'deploy_application', input: { name: 'demo-app', version: '3.0.0' } },
          { name: 'delete_application', input: { name: 'demo-app' } },
          { name: 'delete_application', input: { name: 'test-service' } },
        ],
      },
    );
    await chat.ask('make a plan');
    expect(await chat.button('Approve').count()).toBe(3);
    for (const summary of await chat.log.locator('summary').all()) await summary.click();
    expect(await violations(page)).toEqual([]);
    await chat.history.click();
    await page
      .getByRole('region', { name: 'Past sessions' })
      .getByText('where is it written?')
      .waitFor();
    await page.getByRole('button', { name: 'Delete session: where is it written?' }).click();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);

    for (const path of ['/', '/login', '/platform', '/agent/ui/sidebar']) {
      await page.goto(path);
      if (path === '/platform') await page.getByRole('row', { name: /demo-app/ }).waitFor();
      expect({ path, found: await violations(page) }).toEqual({ path, found: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      const launcher = page.getByRole('button', { name: 'Open chat' });
      if ((await launcher.count()) === 0) continue;
      await launcher.click();
      await chat.message.waitFor();
      expect({ path, found: await violations(page) }).toEqual({ path, found: [] });
    }
  });
});

describe('the chat page', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('can be used by the keyboard alone', async () => {
    const { page } = await demo.logIn('alice');
    const chat = new ChatPage(page);
    await page.getByText('Some of what you can ask for').waitFor();
    await chat.message.focus();
    await page.keyboard.type('first line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second line');
    model.push(deploy('3.0.0'), 'It is out.');
    await page.keyboard.press('Enter');
    await chat.button('Approve').waitFor();
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'first line\nsecond line' },
    ]);
    // Backwards from the message: reject, then approve.
    for (let steps = 0; steps < 9; steps += 1) {
      await page.keyboard.press('Shift+Tab');
      const name = await page.evaluate<string>(
        `document.querySelector('agent-chat').shadowRoot.activeElement?.textContent`,
      );
      if (name === 'Approve') break;
    }
    await page.keyboard.press('Enter');
    await chat.shows('It is out.');
    expect(await chat.card('Deploy application').locator('summary').evaluate(isFocused)).toBe(true);
  });

  it('sends nothing with the Enter that ends the word of an input method, also in Safari', async () => {
    const chat = await demo.logIn('alice');
    await chat.message.fill('今日');
    const enter = (keyCode: number): Promise<void> =>
      chat.message.dispatchEvent('keydown', { key: 'Enter', keyCode, isComposing: false });
    await enter(229);
    expect(await chat.message.inputValue()).toBe('今日');
    model.push('はい');
    await enter(13);
    await chat.shows('はい');
  });

  it('closes no dialog around it by the Escape that closes its list of sessions, or itself', async () => {
    const chat = await demo.logIn('alice');
    const { page } = chat;
    await page.evaluate(`
      const dialog = document.createElement('dialog');
      const chat = document.querySelector('agent-chat');
      dialog.append(Object.assign(chat, { mode: 'sidebar', open: true }));
      document.body.append(dialog);
      dialog.showModal();
    `);
    await chat.history.click();
    await chat.panel.waitFor();
    await page.keyboard.press('Escape');
    await chat.panel.waitFor({ state: 'detached' });
    expect(await chat.message.isVisible()).toBe(true);
    await chat.message.press('Escape');
    await chat.message.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Open chat' }).isVisible()).toBe(true);
  });

  it('keeps the focus where a list of sessions or one of its rows goes away', async () => {
    const { page } = await demo.logIn('bob');
    const chat = new ChatPage(page);
    model.push('One.', 'Two.');
    await chat.ask('the first session');
    await chat.button('New session').click();
    await chat.ask('the second session');
    const opener = chat.history;
    const panel = chat.panel;
    await opener.focus();
    await page.keyboard.press('Enter');
    const row = panel.getByRole('button', { name: 'Delete session: the first session' });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await panel.getByText('the first session').waitFor({ state: 'detached' });
    expect(await panel.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await opener.evaluate(isFocused)).toBe(true);
  });

  it('has fields that a phone does not zoom into, as high as the window', async () => {
    const viewport = { width: 640, height: 300 };
    const chat = await demo.logIn('alice', { viewport, hasTouch: true, isMobile: true });
    model.push(deploy('3.0.0'));
    await chat.ask('deploy');
    const { page } = chat;
    const sizes = await page.evaluate(`
      [...document.querySelector('agent-chat').shadowRoot.querySelectorAll('textarea, [type=text]')]
        .map((field) => parseFloat(getComputedStyle(field).fontSize))
    `);
    expect(sizes).toEqual([16, 16, 16]);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(viewport.height);
  });

  it('lets an argument grow as long as it likes while one types', async () => {
    const { page } = await demo.logIn('alice');
    const chat = new ChatPage(page);
    model.push(deploy('3.0.0'));
    await chat.ask('deploy');
    const field = chat.card('Deploy application').getByLabel('version');
    await field.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(`-${'a'.repeat(80)}`);
    expect(await field.inputValue()).toBe(`3.0.0-${'a'.repeat(80)}`);
  });

  it('announces what happens, politely', async () => {
    const { page, log } = await demo.logIn('alice');
    const chat = new ChatPage(page);
    expect(await log.getAttribute('aria-live')).toBe('polite');
    model.push(deploy('3.1.0'));
    await chat.ask('deploy');
    await page
      .getByRole('status')
      .getByText('Deploy application waits for your approval.')
      .waitFor();
    model.push('Fine.');
    await chat.ask('never mind');
    await page.getByRole('status').getByText('The answer is complete.').waitFor();
    await chat.endsAs('Deploy application', 'Declined');
  });

  it('announces each of several approvals of one tool', async () => {
    const { page } = await demo.logIn('alice');
    const chat = new ChatPage(page);
    model.push(deploy('3.2.0', 'demo-app', 'billing-api'));
    await chat.ask('deploy both');
    const news = page.getByRole('status').getByText('Deploy application waits for your approval.');
    const first = await news.evaluate(({ textContent }) => textContent);
    await chat.button('Reject').first().click();
    await chat.endsAs('Deploy application', 'Declined');
    await chat.idle();
    expect(await news.evaluate(({ textContent }) => textContent)).not.toBe(first);
  });

  it.each(['light', 'dark'] as const)(
    'shows its state and its progress in forced colours, %s',
    async (colorScheme) => {
      const never = new Barrier();
      model.push([never]);
      const { page } = await demo.logIn('alice', { forcedColors: 'active', colorScheme });
      const chat = new ChatPage(page);
      await page.getByRole('img', { name: /^Connected/ }).waitFor();
      await chat.say('hello');
      await never.reached;
      await chat.log.locator('.dots').waitFor();
      const unseen = await page.evaluate(`(() => {
        const root = document.querySelector('agent-chat').shadowRoot;
        const { backgroundColor } = getComputedStyle(root.querySelector('.chat'));
        return ['.dot', '.dots i'].filter((part) =>
          getComputedStyle(root.querySelector(part)).backgroundColor === backgroundColor);
      })()`);
      expect(unseen).toEqual([]);
      const frame = await page.evaluate(`getComputedStyle(
        document.querySelector('agent-chat').shadowRoot.querySelector('.bubble')).borderTopWidth`);
      expect(frame).toBe('1px');
      await chat.button('Stop').click();
      await chat.idle();

      await chat.button('New session').click();
      model.push('Noted.');
      await chat.ask('another question');
      await chat.history.click();
      await chat.panel.locator('.session').nth(1).waitFor();
      const [current, other] = await page.evaluate<string[]>(`
        [...document.querySelector('agent-chat').shadowRoot.querySelectorAll('.session')]
          .map((row) => getComputedStyle(row).border)
      `);
      expect(current).not.toBe(other);
    },
  );

  it.each([
    ['screen', 320, '', {}],
    ['sidebar', 1000, '20rem', { mode: 'sidebar', open: '' }],
    ['screen with a sidebar in German', 390, '', { mode: 'sidebar', open: '', lang: 'de' }],
    ['sidebar in German', 1000, '', { mode: 'sidebar', open: '', lang: 'de' }],
  ])('breaks no word of its heading on a narrow %s', async (_, width, sidebar, attributes) => {
    const { page } = await demo.logIn('alice', { viewport: { width, height: 480 } });
    await page.evaluate(`(() => {
      const chat = document.querySelector('agent-chat');
      const attributes = ${JSON.stringify({ heading: 'Shop assistant', ...attributes })};
      for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value);
      chat.style.setProperty('--agent-chat-sidebar-width', '${sidebar}');
    })()`);
    await page.getByRole('heading', { name: 'Shop assistant' }).waitFor();
    const lines = await page.evaluate(`(() => {
      const text = document.querySelector('agent-chat').shadowRoot.querySelector('h1').lastChild;
      const word = document.createRange();
      word.setStart(text, 'Shop '.length);
      word.setEnd(text, text.length);
      return word.getClientRects().length;
    })()`);
    expect(lines).toBe(1);
    await page.getByRole('button', { name: /^(New session|Neues Gespräch)$/ }).waitFor();
  });

  it.each(['en', 'de'])(
    'fits its composer (%s) to a narrow sidebar of a wide page',
    async (lang) => {
      const { page } = await demo.logIn('alice', { viewport: { width: 1000, height: 480 } });
      await page.evaluate(`(() => {
      const chat = document.querySelector('agent-chat');
      const attributes = ${JSON.stringify({ mode: 'sidebar', open: '', lang })};
      for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value);
      chat.style.setProperty('--agent-chat-sidebar-width', '20rem');
    })()`);
      const field = page.locator('agent-chat').getByRole('textbox');
      await page.getByRole('button', { name: /^(Send|Senden)$/ }).waitFor();
      expect(await page.locator('[part=send] .icon').isVisible()).toBe(false);
      await field.fill('A text that is written and then removed, over more than one line of it');
      await field.fill('');
      expect((await field.boundingBox())?.height).toBeLessThan(50);
    },
  );

  it('stands still for who asked for that, and mirrors itself for who reads from the right', async () => {
    const { page } = await demo.logIn('alice', { reducedMotion: 'reduce' });
    const chat = new ChatPage(page);
    model.push('مرحبا');
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    await chat.ask('hello');
    await chat.shows('مرحبا');
    const side = await page.evaluate<string>(`(() => {
      const root = document.querySelector('agent-chat').shadowRoot;
      const bubble = root.querySelector('.bubble').getBoundingClientRect();
      const column = root.querySelector('.column').getBoundingClientRect();
      return Math.abs(bubble.left - column.left) < 2 ? 'left' : 'right';
    })()`);
    expect(side).toBe('left');
    const animated = await page.evaluate<number>(
      `document.querySelector('agent-chat').shadowRoot.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 0).length`,
    );
    expect(animated).toBe(0);
  });
});
