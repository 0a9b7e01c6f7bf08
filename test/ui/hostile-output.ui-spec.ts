import { ScriptedModel } from 'nestjs-agent/testing';
import { isFocused } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { answerWith, FINISH, text } from './support/script';

const PAYLOADS = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><script>window.hacked = 1</script></svg>',
  '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hacked=1&gt;">',
  '<a href="javascript:window.hacked=1">raw</a>',
  '[plain](javascript:window.hacked=1)',
  '[tab](java\tscript:window.hacked=1)',
  '[entity](&#106;avascript:window.hacked=1)',
  '[upper](JaVaScRiPt:window.hacked=1)',
  '[data](data:text/html,<script>window.hacked=1</script>)',
  '[vbscript](vbscript:msgbox)',
  '[blob](blob:https://example.com/1)',
  '[file](file:///etc/passwd)',
  '![image](https://example.com/pixel.png?secret)',
  '![data](data:image/svg+xml,<svg onload="window.hacked=1"/>)',
  '[ref]: javascript:window.hacked=1\n\n[ref]',
  '<style>@import url(https://example.com/x.css); * { display: none }</style>',
  '<link rel="stylesheet" href="https://example.com/x.css">',
  '<form action="https://example.com"><button>send</button></form>',
  '```js"><img src=x onerror=window.hacked=1>\ncode\n```',
  '| a | b |\n|---|---|\n| <img src=x onerror=window.hacked=1> | [x](javascript:window.hacked=1) |',
  '<div style="background: url(https://example.com/x.png)">styled</div>',
  '<base href="https://example.com/">',
  '<agent-chat endpoint="https://example.com"></agent-chat>',
];

const SOURCES = [
  'javascript:window.hacked=1',
  'JaVaScRiPt:window.hacked=1',
  ' javascript:window.hacked=1',
  'java\tscript:window.hacked=1',
  'javascript://example.com/%0awindow.hacked=1',
  'data:text/html,<script>window.hacked=1</script>',
  'vbscript:msgbox',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'mailto:somebody@example.com',
  '/agent/ui',
  '//example.com/',
  'no address at all',
  '',
];

const SCAN = `(() => {
  const root = document.querySelector('agent-chat').shadowRoot;
  const all = [...root.querySelectorAll('.log *')];
  return {
    tags: [...new Set(all.map((each) => each.localName))].sort(),
    handlers: all.flatMap((each) => [...each.attributes])
      .map(({ name }) => name).filter((name) => /^on|^style$|^src/.test(name)),
    links: [...root.querySelectorAll('.log a')].map((each) => each.getAttribute('href')),
    hacked: window.hacked,
  };
})()`;

interface Scan {
  readonly tags: readonly string[];
  readonly handlers: readonly string[];
  readonly links: readonly (string | null)[];
  readonly hacked?: number;
}

describe('hostile output of a model', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('can neither run, load, restyle nor link to anything but the web and mail', async () => {
    const chat = await demo.logIn('alice');
    for (const [index, payload] of PAYLOADS.entries()) {
      model.push(`${payload}\n\nend ${index}.`);
      await chat.ask(`payload ${index}`);
      await chat.shows(`end ${index}.`);
    }
    for (const link of await chat.log.locator('a').all()) {
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    }
    const scan = await chat.page.evaluate<Scan>(SCAN);
    expect(scan.hacked).toBeUndefined();
    expect(scan.handlers).toEqual([]);
    const forbidden = [
      'script',
      'img',
      'iframe',
      'style',
      'link',
      'form',
      'base',
      'math',
      'object',
    ];
    expect(scan.tags.filter((tag) => forbidden.includes(tag))).toEqual([]);
    for (const link of scan.links) expect(link ?? 'none').toMatch(/^(https?:|none$)/);
  });

  it('does not look like a link where it is none', async () => {
    model.push('Look [here](javascript:window.hacked=1) or [there](https://example.com/).');
    const chat = await demo.logIn('alice');
    await chat.ask('where?');
    await chat.shows('there');
    const colours = await chat.page.evaluate(`(() => {
      const root = document.querySelector('agent-chat').shadowRoot;
      const text = root.querySelector('.markdown');
      return [text, ...text.querySelectorAll('a')].map((node) => getComputedStyle(node).color);
    })()`);
    const [words, ...links] = colours as readonly string[];
    expect(links.map((colour) => colour === words)).toEqual([true, false]);
  });

  it('links to the web only as a source, and says where a link leads', async () => {
    const evil = '<img src=x onerror="window.hacked=1">';
    const web = `https://bank.example@evil.example/"onmouseover="window.hacked=1`;
    model.push([
      ...SOURCES.map((url) => ({ type: 'source' as const, url, title: evil })),
      { type: 'source', url: web, title: `${evil}\u202e` },
      { type: 'source', url: 'https://example.com/blank', title: '  ' },
      { type: 'provider_tool', id: evil, name: evil, input: { [evil]: evil }, output: evil },
      text('end.'),
      FINISH,
    ]);
    const chat = await demo.logIn('alice');
    await chat.ask('name your sources');
    const list = chat.log.getByRole('region', { name: 'Sources' });
    for (const look of ['as it was streamed', 'after a reload']) {
      await list.waitFor();
      for (const summary of await chat.log.locator('summary').all()) await summary.click();
      const scan = await chat.page.evaluate<Scan>(SCAN);
      expect({ look, ...scan }).toMatchObject({ handlers: [], hacked: undefined });
      expect(scan.tags).not.toContain('img');
      expect(scan.links).toEqual([
        'https://bank.example@evil.example/%22onmouseover=%22window.hacked=1',
        'https://example.com/blank',
      ]);
      const rows = await list.getByRole('listitem').allInnerTexts();
      expect(rows).toEqual([expect.stringMatching(/evil\.example$/), 'example.com']);
      await chat.page.reload();
    }
  });

  it('is split anywhere by the stream and is still only text', async () => {
    const chat = await demo.logIn('alice');
    model.push({
      text: [...'<img src=x onerror="window.hacked=1">**bold** [x](javascript:1) done.'],
    });
    await chat.ask('slowly');
    await chat.shows('done.');
    const scan = await chat.page.evaluate<Scan>(SCAN);
    expect(scan).toMatchObject({ handlers: [], hacked: undefined });
    expect(scan.tags).not.toContain('img');
    expect(scan.tags).toContain('strong');
  });

  it('is only text in a tool name, its arguments, its result and an approval', async () => {
    const evil = '<img src=x onerror="window.hacked=1">';
    model.push(
      { toolCalls: [{ name: 'get_application', input: { name: evil } }] },
      { toolCalls: [{ name: 'deploy_application', input: { name: evil, version: '1.0.0' } }] },
    );
    const chat = await demo.logIn('alice');
    await chat.ask(evil);
    await chat.button('Approve').waitFor();
    const scan = await chat.page.evaluate<Scan>(SCAN);
    expect(scan).toMatchObject({ handlers: [], hacked: undefined });
    expect(scan.tags).not.toContain('img');
  });

  it('hides no characters in the arguments of an approval', async () => {
    const name = 'shop\u202epohs\u{e0061}';
    model.push({ toolCalls: [{ name: 'deploy_application', input: { name, version: '1.0.0' } }] });
    const chat = await demo.logIn('alice');
    await chat.ask('deploy');
    await chat.button('Approve').waitFor();
    const notes = chat.log.getByText('Invisible characters');
    expect(await notes.allTextContents()).toEqual([
      'Invisible characters: shop\\u{202e}pohs\\u{e0061}',
    ]);
  });

  it('is shown as it was written where it is nested without end', async () => {
    const chat = await demo.logIn('alice');
    await chat.page.evaluate(`document.querySelector('agent-chat').registerTool({
      name: 'nest', description: 'Answers lists in lists', input_schema: { type: 'object' },
      run: () => '['.repeat(9_000) + ']'.repeat(9_000) })`);
    model.push(
      { text: `${'>'.repeat(9_000)} deep`, toolCalls: [{ name: 'nest' }] },
      `${'1. '.repeat(9_000)} deep`,
    );
    await chat.ask('nest');
    await chat.endsAs('Nest', 'Done');
    await chat.page.reload();
    await chat.card('Nest').waitFor();
    model.push('Still here.');
    await chat.ask('are you there?');
    await chat.shows('Still here.');
  });

  it('shows what is good: tables, lists, code to copy, links', async () => {
    model.push(
      '# Plan\n\n| app | version |\n|---|--:|\n| demo-app | 2 |\n\n4. four\n5. five\n\n```ts\nconst a = 1;\n```\n\n[docs](https://example.com/docs)',
    );
    const chat = await demo.logIn('alice', { permissions: ['clipboard-read', 'clipboard-write'] });
    await chat.ask('show me');
    await chat.log.getByRole('table').getByRole('columnheader', { name: 'version' }).waitFor();
    const sides = await chat.page.evaluate(
      `[...document.querySelector('agent-chat').shadowRoot.querySelectorAll('th')].map((cell) => getComputedStyle(cell).textAlign)`,
    );
    expect(sides).toEqual(['start', expect.stringContaining('right')]);
    await chat.log.locator('ol[start="4"]').waitFor();
    await chat.log.getByRole('link', { name: 'docs' }).waitFor();
    await chat.log.getByRole('button', { name: 'Copy: Code' }).click();
    await chat.log.getByText('Copied').waitFor();
    expect(await chat.page.evaluate<string>('navigator.clipboard.readText()')).toBe('const a = 1;');
  });

  it('stays on the screen of a phone, however long a word is', async () => {
    const word = `https://example.com/${'long'.repeat(30)}`;
    const name = `connected_server__${'long_'.repeat(9)}`;
    const waits = { callId: 'c', name, expiresAt: '2030-01-01T00:00:00.000Z' };
    const asks = { ...waits, input: { [word]: word, [name]: 1 }, reason: word };
    const chat = await demo.logIn('alice', { viewport: { width: 320, height: 800 } });
    const { page } = chat;
    await page.route('**/agent/health', (route) =>
      route.fulfill({ json: { model: 'm', notice: word } }),
    );
    await page.route('**/agent/tools', (route) =>
      route.fulfill({ json: [{ name, kind: 'route', readOnly: true }] }),
    );
    await page.route(`**/agent/tools/${name}`, (route) =>
      route.fulfill({ json: { description: word.replace('://', '-'), input_schema: {} } }),
    );
    await page.route('**/agent/sessions?*', (route) =>
      route.fulfill({ status: 400, json: { message: word } }),
    );
    const isWide = `[document.documentElement, document.querySelector('agent-chat').shadowRoot
      .querySelector('.log')].some((node) => node.scrollWidth > node.clientWidth)`;
    await page.reload();
    await page.getByText('Some of what you can ask for').waitFor();
    await chat.history.click();
    await page.getByRole('alert').getByText(word).waitFor();
    expect(await page.evaluate(isWide)).toBe(false);
    await answerWith(
      page,
      { type: 'notice', message: word },
      { type: 'approval.required', ...asks },
      {
        ...{ type: 'run.finished', status: 'requires_action', stopReason: 'requires_action' },
        ...{ message: '', pendingActions: [{ ...waits, type: 'approval' }] },
      },
    );
    await chat.ask('hello');
    await chat.button('Approve').waitFor();
    expect(await page.evaluate(isWide)).toBe(false);
  });

  it('scrolls code in lists and quotes by itself, as the keyboard can', async () => {
    const code = '```sh\nnpm install '.concat('a-long-name '.repeat(20), '\n```');
    model.push(
      `1. Run\n\n   ${code.replaceAll('\n', '\n   ')}\n\n> ${code.replaceAll('\n', '\n> ')}`,
    );
    const chat = await demo.logIn('alice', { viewport: { width: 360, height: 640 } });
    await chat.ask('how?');
    const isWide = (node: { scrollWidth: number; clientWidth: number }): boolean =>
      node.scrollWidth > node.clientWidth;
    expect(await chat.log.evaluate(isWide)).toBe(false);
    const blocks = await chat.log.getByRole('group', { name: 'Code' }).all();
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      expect(await block.evaluate(isWide)).toBe(true);
      await block.focus();
      expect(await block.evaluate(isFocused)).toBe(true);
    }
  });

  it('offers no copy where the address is no secure one', async () => {
    const address = demo.address.replace('127.0.0.1', '0.0.0.0');
    const chat = await demo.logIn('alice', {}, address);
    model.push('```sh\nnpm start\n```');
    await chat.ask('show me the code');
    await chat.log.getByRole('group', { name: 'Code' }).waitFor();
    expect(await chat.log.getByRole('button', { name: 'Copy: Code' }).count()).toBe(0);
  });
});
