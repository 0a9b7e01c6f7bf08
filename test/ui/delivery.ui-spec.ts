import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { uiAssetsFolder } from 'nestjs-agent/ui';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useDemo } from './support/demo-browser';
import { ChatPage } from './support/chat-page';
import { answerWith, text } from './support/script';

const file = (name: string): string => readFileSync(join(uiAssetsFolder(), name), 'utf8');

describe('the widget as it is delivered', () => {
  const demo = useDemo();

  it('is under 63.7 kB compressed, with its two languages, as a script and as a module', () => {
    expect(gzipSync(file('agent-chat.js')).byteLength).toBeLessThan(63_700);
    expect(gzipSync(file('agent-chat.mjs')).byteLength).toBeLessThan(63_700);
  });

  it('evaluates no text as code, and asks no other server', () => {
    for (const name of ['agent-chat.js', 'agent-chat.mjs', 'page.js', 'sidebar.js']) {
      expect(file(name)).not.toMatch(/\beval\(|new Function\(|document\.cookie|localStorage/);
    }
  });

  it.each(['/agent/ui', '/agent/ui/', '/agent/ui/sidebar', '/agent/ui/sidebar/'])(
    'stands on %s under a strict policy',
    async (path) => {
      const page = await demo.open();
      await page.addInitScript(
        `sessionStorage.setItem('platform.headers', '{"authorization":"Bearer none"}')`,
      );
      await page.route('**/agent/tools', (route) => route.fulfill({ json: [] }));
      const response = await page.goto(path);
      const policy = response?.headers()['content-security-policy'] ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+';/,
      );
      expect(policy).toContain("connect-src 'self'");
      await new ChatPage(page).message.waitFor();
      await page.getByRole('img', { name: /^Connected/ }).waitFor();
    },
  );

  it('is sent again only where it changed', async () => {
    const first = await fetch(`${demo.address}/agent/ui/agent-chat.js`);
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(`${demo.address}/agent/ui/agent-chat.js`, {
      headers: { 'if-none-match': etag },
    });
    expect(second.status).toBe(304);
    const unknown = await fetch(`${demo.address}/agent/ui/..%2f..%2fpackage.json`);
    expect(unknown.status).toBe(404);
  });

  describe('on a page of somebody else', () => {
    let server: Server;
    let address: string;
    const pages: Record<string, string> = {
      '/script': '<script src="/agent-chat.js"></script><agent-chat theme="dark"></agent-chat>',
      '/module':
        '<agent-chat heading="Mine"></agent-chat><script type="module" src="/main.mjs"></script>',
      '/styled': `<style>html { font-size: 62.5% }
        * { text-align: center; text-transform: uppercase; letter-spacing: 1em;
        white-space: nowrap; word-break: break-all; text-indent: 4em; word-spacing: 2em }
        body * { color: red; font: italic 900 30px/3 serif }</style>
        <script src="/agent-chat.js"></script><agent-chat theme="dark"></agent-chat>`,
      '/sandbox': '<iframe src="/script" sandbox="allow-scripts allow-same-origin"></iframe>',
      '/trusted-types': '<script src="/agent-chat.js"></script><agent-chat></agent-chat>',
    };
    const main = `
      import { AgentChatElement } from './agent-chat.mjs';
      const chat = document.querySelector('agent-chat');
      document.title = String(chat instanceof AgentChatElement);`;
    beforeAll(async () => {
      server = createServer((request, response) => {
        const path = request.url ?? '';
        if (/\.m?js$/.test(path)) {
          response.setHeader('content-type', 'text/javascript');
          response.end(path === '/main.mjs' ? main : file(path.slice(1)));
        } else if (path in pages) {
          response.setHeader('content-type', 'text/html');
          if (path === '/trusted-types') {
            response.setHeader(
              'content-security-policy',
              "require-trusted-types-for 'script'; trusted-types dompurify",
            );
          }
          response.end(`<!doctype html><title>x</title>${pages[path]}`);
        } else {
          response.writeHead(path.startsWith('/agent/') ? 503 : 404).end('{}');
        }
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it('works from a plain script tag, and says that its server is not there', async () => {
      const page = await demo.open({}, address);
      await page.goto('/script');
      await new ChatPage(page).message.waitFor();
      await page.getByRole('img', { name: 'The server cannot be reached' }).waitFor();
      expect(await page.evaluate('document.cookie + Object.keys(sessionStorage)')).toBe('');
    });

    it('looks the same whatever the page says of its own text', async () => {
      const page = await demo.open({}, address);
      const styleOf = async (path: string): Promise<unknown> => {
        await page.goto(path);
        await page.getByRole('heading', { name: 'How can I help?' }).waitFor();
        return page.evaluate(`(() => {
          const root = document.querySelector('agent-chat').shadowRoot;
          return ['.head h1', '.head-buttons', 'textarea'].map((part) => {
            const { textAlign, textTransform, letterSpacing, whiteSpace, wordBreak, textIndent,
              wordSpacing, color, font } = getComputedStyle(root.querySelector(part));
            return { textAlign, textTransform, letterSpacing, whiteSpace, wordBreak, textIndent,
              wordSpacing, color, font };
          });
        })()`);
      };
      expect(await styleOf('/styled')).toEqual(await styleOf('/script'));
    });

    it('shows an answer where the page allows only trusted markup', async () => {
      const page = await demo.open({}, address);
      await answerWith(page, text('One **bold**\n\nTwo **bolder**'));
      await page.goto('/trusted-types');
      const chat = new ChatPage(page);
      await chat.ask('hello');
      await chat.log.locator('strong').getByText('bolder').waitFor();
    });

    it('sends and approves in a frame that may submit no form', async () => {
      const page = await demo.open({}, address);
      const call = { callId: 'c', name: 'pay', input: {}, expiresAt: '2100-01-01T00:00:00Z' };
      await answerWith(
        page,
        { ...call, type: 'tool.call', kind: 'provider' },
        { ...call, type: 'approval.required', reason: 'It pays.' },
        {
          type: 'run.finished',
          status: 'requires_action',
          message: '',
          pendingActions: [{ ...call, type: 'approval' }],
        },
      );
      await page.goto('/sandbox');
      const frame = page.frameLocator('iframe');
      await frame.getByRole('textbox', { name: 'Message', exact: true }).fill('pay');
      await frame.getByRole('button', { name: 'Send', exact: true }).click();
      const answer = page.waitForRequest('**/runs/r/actions');
      await frame.getByRole('button', { name: 'Approve', exact: true }).click();
      expect((await answer).postDataJSON()).toEqual({
        actions: [{ callId: 'c', type: 'approve' }],
      });
    });

    it('works imported as a module', async () => {
      const page = await demo.open({}, address);
      await page.goto('/module');
      await page.getByRole('heading', { name: 'Mine' }).waitFor();
      expect(await page.title()).toBe('true');
    });
  });
});
