import type { ChatResult } from 'nestjs-agent';
import { ScriptedModel, type ScriptedToolCall } from 'nestjs-agent/testing';
import { DemoClient } from '../support/demo/demo-client';
import { useDemo } from './support/demo-browser';
import { ChatPage, isFocused } from './support/chat-page';
import { deploy } from './support/script';

describe('tools that run in the browser', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  /** The page at `path`, with bob logged in. */
  const open = async (path: string): Promise<ChatPage> => {
    const { page } = await demo.logIn('bob');
    await page.goto(path);
    const chat = new ChatPage(page);
    await chat.message.waitFor();
    await page.getByRole('img', { name: /^Connected/ }).waitFor();
    return chat;
  };
  /** Has the model call a tool; resolves with the result that the model received. */
  const call = async (chat: ChatPage, ...toolCalls: ScriptedToolCall[]): Promise<string> => {
    model.push({ toolCalls }, 'All is done.');
    await chat.ask('go on');
    await chat.log.getByText('All is done.').last().waitFor();
    return JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.content);
  };
  const offered = (): readonly string[] =>
    (model.requests.at(-1)?.tools ?? []).map(({ name }) => name);

  it('are none until the page enables some', async () => {
    const chat = await open('/agent/ui');
    model.push('Hello.');
    await chat.ask('hello');
    const names = ['get_page_info', 'show_notification', 'set_theme', 'draw_svg'];
    expect(offered().filter((name) => names.includes(name))).toEqual([]);
    await chat.page.evaluate(`document.querySelector('agent-chat').enableTools('get_page_info')`);
    model.push('Hello.');
    await chat.ask('hello');
    expect(offered().filter((name) => names.includes(name))).toEqual(['get_page_info']);
    await chat.page.evaluate(`document.querySelector('agent-chat').disableTools('get_page_info')`);
    model.push('Hello.');
    await chat.ask('hello');
    expect(offered().filter((name) => names.includes(name))).toEqual([]);
  });

  it('change the dashboard: theme, highlight, filter, notification', async () => {
    const chat = await open('/platform');
    const { page } = chat;
    await page.getByRole('row', { name: /api-gateway/ }).waitFor();
    const told = await call(
      chat,
      { name: 'set_theme', input: { theme: 'dark' } },
      { name: 'highlight_application', input: { name: 'api-gateway' } },
      { name: 'filter_applications', input: { status: 'healthy' } },
      { name: 'show_notification', input: { message: 'Look <b>here</b>', level: 'success' } },
    );
    expect(told).toContain('The theme is dark now.');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.locator('agent-chat').getAttribute('theme')).toBe('dark');
    expect(await page.locator('tr.highlighted').innerText()).toContain('api-gateway');
    expect(await page.getByRole('row', { name: /demo-app/ }).isVisible()).toBe(false);
    await page.getByText('Look <b>here</b>', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Dismiss notification' }).click();
    await page.getByText('Look <b>here</b>', { exact: true }).waitFor({ state: 'detached' });
  });

  it('shows at once what the agent changed at the server', async () => {
    const chat = await open('/platform');
    model.push(deploy('7.7.7'), 'It is out.');
    await chat.ask('deploy');
    await chat.button('Approve').click();
    await chat.page.getByRole('cell', { name: '7.7.7' }).waitFor();
  });

  it('tell what the page shows, but not what its address carries', async () => {
    const chat = await open('/agent/ui/sidebar?token=secret#secret');
    const told = await call(chat, { name: 'get_page_info' });
    expect(told).toContain('A page with an agent beside it');
    expect(told).toContain('/agent/ui/sidebar');
    expect(told).not.toContain('secret');
  });

  it('write into the page that registered them', async () => {
    const chat = await open('/agent/ui/sidebar');
    const told = await call(chat, { name: 'add_note', input: { text: '<i>milk</i>' } });
    expect(told).toContain('notes');
    await chat.page.getByRole('listitem').getByText('<i>milk</i>').waitFor();
  });

  it('run once for a session that is opened while it waits for them', async () => {
    const chat = await open('/agent/ui/sidebar');
    const other = new DemoClient(demo.address);
    const token = await other.login('bob');
    const input_schema = { type: 'object', properties: { text: { type: 'string' } } };
    const tool = { name: 'add_note', description: 'Write a note', input_schema };
    model.push({ toolCalls: [{ name: 'add_note', input: { text: 'bread' } }] }, 'Noted.');
    const { body } = await other.request<ChatResult>('POST', '/agent/chat', {
      token,
      body: { message: 'note it', frontendTools: [tool] },
    });
    expect(body.pendingActions).toMatchObject([{ type: 'frontend', name: 'add_note' }]);
    const { sessionId, runId } = body;
    await chat.page.evaluate(
      `document.querySelector('agent-chat').openSession('${sessionId}', '${runId}')`,
    );
    await chat.shows('Noted.');
    expect(await chat.page.getByRole('listitem').allInnerTexts()).toEqual(['bread']);
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.content)).toContain('notes');
  });

  it('hand what they throw to the model as an error', async () => {
    const chat = await open('/agent/ui');
    await chat.page.evaluate(`
      const chat = document.querySelector('agent-chat');
      const input_schema = { type: 'object', properties: {}, additionalProperties: false };
      chat.registerTool({ name: 'explode', description: 'Explodes', input_schema,
        run: () => { throw new Error('It went bang.'); } });
      chat.registerTool({ name: 'circle', description: 'Answers what JSON cannot say', input_schema,
        run: () => { const a = {}; a.a = a; return a; } });
      chat.registerTool({ name: 'later', description: 'Answers later', input_schema,
        run: () => new Promise((resolve) => setTimeout(() => resolve({ late: true }), 50)) });
    `);
    const told = await call(chat, { name: 'explode' }, { name: 'circle' }, { name: 'later' });
    expect(told).toContain('It went bang.');
    expect(told).toMatch(/circular/i);
    expect(told).toContain('late');
    await chat.endsAs('Explode', 'Failed');
    await chat.endsAs('Later', 'Done');
  });

  it('learn that the run was stopped, and what they answer then is dropped', async () => {
    const chat = await open('/agent/ui');
    await chat.page.evaluate(`
      document.querySelector('agent-chat').registerTool({ name: 'wait', description: 'Waits',
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
        run: (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => {
          document.title = 'aborted';
          resolve('too late');
        })) });
    `);
    model.push({ toolCalls: [{ name: 'wait' }] });
    await chat.say('wait');
    await chat.card('Wait').getByText('Running').waitFor();
    await chat.button('Stop').click();
    await chat.idle();
    expect(await chat.page.title()).toBe('aborted');
    model.push('Going on.');
    await chat.ask('go on');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('too late');
  });

  it('refuse names that do not fit or are taken', async () => {
    const chat = await open('/agent/ui');
    const register = (name: string): Promise<string> =>
      chat.page.evaluate<string>(`(() => { try {
        document.querySelector('agent-chat').registerTool({ name: ${JSON.stringify(name)},
          description: 'x', input_schema: { type: 'object' }, run: () => 1 });
        return 'registered';
      } catch (error) { return error.message; } })()`);
    expect(await register('mine')).toBe('registered');
    expect(await register('mine')).toMatch(/registered already/);
    expect(await register('not a name')).toMatch(/no tool name/);
  });

  it('draw what is harmless of a drawing, and say so where nothing is left', async () => {
    const chat = await open('/agent/ui/sidebar');
    const svg = `<svg viewBox="0 0 100 60" onload="window.hacked=1" id="notes">
      <script>window.hacked=1</script><style>@import url(https://example.com/x.css)</style>
      <foreignObject><img src=x onerror="window.hacked=1"></foreignObject>
      <image href="https://example.com/x.png" width="10" height="10"/>
      <use href="https://example.com/x.svg#a"/><use href="#shape"/>
      <a href="javascript:window.hacked=1"><text x="5" y="20">linked</text></a>
      <animate attributeName="href" values="javascript:window.hacked=1"/>
      <rect id="shape" width="40" height="30" fill="url(https://example.com/p.svg#x)" onclick="window.hacked=1"/>
      <circle cx="70" cy="30" r="20" fill="tomato" style="background:url(https://example.com/y.png)"/>
      <path d="M0 50h100" stroke="currentColor" filter="url(https://example.com/f.svg#f)"/>
    </svg>`;
    const told = await call(chat, { name: 'draw_svg', input: { title: 'A red disc', svg } });
    expect(told).toContain('The picture is shown.');
    const drawing = chat.log.getByRole('img', { name: 'A red disc' });
    await drawing.waitFor();
    const markup = await drawing.evaluate((node) => node.outerHTML as string);
    expect(markup).toContain('tomato');
    expect(markup).not.toMatch(
      /script|onload|onclick|style|foreign|<image|example\.com|animate|<a\b/i,
    );
    expect(await chat.page.evaluate('window.hacked')).toBeUndefined();

    const refused = await call(chat, {
      name: 'draw_svg',
      input: { title: 'x', svg: '<script>1</script>' },
    });
    expect(refused).toContain('That is no SVG');
  });

  it('read a drawing as models write it, and nothing that is hidden in it', async () => {
    const chat = await open('/agent/ui/sidebar');
    const svg = `<?xml version="1.0"?><!DOCTYPE svg><div><svg viewBox="0 0 9 9">
      <text><![CDATA[a < b]]> &amp;c</text>
      <rect width="9" fill="u&#114;l(https://example.com/p.svg#x)" stroke="ur\\6c (//example.com/x)"/>
      <path d="M0 0h9" clip-path="URL ( https://example.com/c.svg#c )" fill="url( '#paint')"/>
      <image href="https://example.com/x.png"><rect width="1"/></image>
      <svg><rect width="2"/></svg></svg><svg><rect width="3"/></svg>`;
    await call(chat, { name: 'draw_svg', input: { title: 'Hidden', svg } });
    const drawing = chat.log.getByRole('img', { name: 'Hidden' });
    expect(await drawing.locator('text').textContent()).toBe('a < b &c');
    expect(await drawing.evaluate((node) => node.outerHTML as string)).not.toContain('example.com');
    const shapes = await drawing.locator('rect, path').all();
    const looks = shapes.map((shape) =>
      Promise.all(['width', 'stroke', 'clip-path', 'fill'].map((name) => shape.getAttribute(name))),
    );
    expect(await Promise.all(looks)).toEqual([
      ['9', null, null, null],
      [null, null, null, null],
    ]);
  });

  it('keep the parts of two drawings apart', async () => {
    const chat = await open('/agent/ui/sidebar');
    const svg = (color: string): string => `<svg viewBox="0 0 9 9">
      <linearGradient id="paint"><stop stop-color="${color}"/></linearGradient>
      <rect width="9" height="9" fill="url(#paint)"/></svg>`;
    await call(
      chat,
      { name: 'draw_svg', input: { title: 'Red', svg: svg('red') } },
      { name: 'draw_svg', input: { title: 'Blue', svg: svg('blue') } },
    );
    const references = await Promise.all(
      ['Red', 'Blue'].map(async (name) => {
        const drawing = chat.log.getByRole('img', { name });
        const id = await drawing.locator('linearGradient').getAttribute('id');
        expect(await drawing.locator('rect').getAttribute('fill')).toBe(`url(#${id})`);
        return id;
      }),
    );
    expect(new Set(references).size).toBe(2);
  });

  it('draw nothing that repeats what repeats something itself', async () => {
    const chat = await open('/agent/ui/sidebar');
    // Painted as it stands, each level would multiply the one below it by ten.
    const levels = [...Array(8).keys()].map(
      (level) => `<g marker-mid="url(#m${level + 1})">
        <marker id="m${level}"><path d="M0 0${'L1 1'.repeat(11)}" marker-mid="url(#m${level + 1})"/></marker>
        <clipPath id="c${level}" clip-path="url(#c${level + 1})">
          <path d="M0 0h9v9z" clip-path="url(#c${level + 1})"/></clipPath></g>`,
    );
    const shape = '<path d="M0 0L1 1L9 9" marker-mid="url(#m0)" clip-path="url(#c0)"/>';
    const told = await call(chat, {
      name: 'draw_svg',
      input: { title: 'Deep', svg: `<svg viewBox="0 0 9 9">${levels.join('')}${shape}</svg>` },
    });
    expect(told).toContain('The picture is shown.');
    const drawing = chat.log.getByRole('img', { name: 'Deep' });
    const nested = drawing.locator(
      ':is(marker, clipPath) [marker-mid], :is(marker, clipPath) [clip-path]',
    );
    expect(await nested.count()).toBe(0);
    // Nothing in them inherits a reference from an outer element.
    expect(await drawing.locator('marker:not([marker-mid="none"])').count()).toBe(0);
    expect(await drawing.locator(':scope > path[marker-mid][clip-path]').count()).toBe(1);

    const many = `<clipPath id="c">${'<path d="M0 0h9v9z"/>'.repeat(17)}</clipPath>`;
    const refused = await call(chat, {
      name: 'draw_svg',
      input: { title: 'Many', svg: `<svg viewBox="0 0 9 9">${many}${shape}</svg>` },
    });
    expect(refused).toContain('That is no SVG');
  });

  it('open and close the sidebar with the keyboard', async () => {
    const chat = await open('/agent/ui/sidebar');
    await chat.message.press('Escape');
    const launcher = chat.page.getByRole('button', { name: 'Open chat' });
    await launcher.waitFor();
    expect(await launcher.evaluate(isFocused)).toBe(true);
    await launcher.press('Enter');
    await chat.message.waitFor();
    expect(await chat.message.evaluate(isFocused)).toBe(true);
  });
});
