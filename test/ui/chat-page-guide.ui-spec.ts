import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AGENT_MODEL } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { uiAssetsFolder } from 'nestjs-agent/ui';
import type { Page } from 'playwright-core';
import { AppModule } from '../../docs/snippets/chat-page/app.module';
import { configure } from '../../docs/snippets/chat-page/configure';
import { AppBrowser, during } from './support/app-browser';
import { ChatPage } from './support/chat-page';

const SNIPPETS = join(__dirname, '../../docs/snippets/chat-page');
const file = (name: string): string => readFileSync(join(SNIPPETS, name), 'utf8');

/** A page of another domain, as a bundler would leave it: the package's name leads to its file. */
class OtherDomain {
  private readonly server = createServer((request, response) => {
    const [type, body] = this.files[request.url ?? ''] ?? ['text/plain', ''];
    response.setHeader('content-type', type).end(body);
  });
  private files: Record<string, readonly [type: string, body: string]> = {};

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Serves `bundled.js` with the agent's real address. */
  show(agent: string): void {
    const imports = { 'nestjs-agent/ui/agent-chat.js': '/agent-chat.mjs' };
    const map = JSON.stringify({ imports });
    this.files = {
      '/': [
        'text/html',
        `<!doctype html><script type="importmap">${map}</script>
         <body><script type="module" src="/bundled.js"></script>`,
      ],
      '/bundled.js': [
        'text/javascript',
        file('bundled.js').replace('http://127.0.0.1:3000', agent),
      ],
      '/agent-chat.mjs': [
        'text/javascript',
        readFileSync(join(uiAssetsFolder(), 'agent-chat.mjs'), 'utf8'),
      ],
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('the pages of the guide to the chat page', () => {
  const model = new ScriptedModel([]);
  const shop = new OtherDomain();
  beforeAll(() => shop.listen());
  afterAll(() => shop.close());
  const guide = during(
    new AppBrowser(async () => {
      process.env.SHOP_ORIGIN = shop.address;
      const testing = Test.createTestingModule({ imports: [AppModule] });
      const app = (
        await testing.overrideProvider(AGENT_MODEL).useValue(model).compile()
      ).createNestApplication<NestExpressApplication>({ logger: false });
      app.useStaticAssets(SNIPPETS);
      configure(app);
      return app;
    }),
  );
  beforeAll(() => shop.show(guide.address));
  afterAll(() => delete process.env.SHOP_ORIGIN);

  const logIn = async (page: Page): Promise<void> => {
    await page.waitForURL(/\/login\.html\?return=/);
    await page.getByLabel('Name').fill('ada');
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  const usesOrders = [{ toolCalls: [{ name: 'list_orders' }] }, 'It was sent.'];

  it('two lines of markup are a sidebar, where the browser says who is logged in', async () => {
    const page = await guide.open({ extraHTTPHeaders: { authorization: 'Bearer ada' } });
    await page.goto('/widget.html');
    await page.getByRole('button', { name: 'Open chat' }).click();
    model.push('Good morning.');
    const chat = new ChatPage(page);
    await chat.ask('hello');
    await chat.shows('Good morning.');
  });

  it('has words of its own for a language that is not there', async () => {
    const page = await guide.open({ extraHTTPHeaders: { authorization: 'Bearer ada' } });
    await page.goto('/french.html');
    await page.getByPlaceholder('Posez une question…').waitFor();
    await page.getByRole('button', { name: 'Envoyer' }).waitFor();
    await page.getByRole('button', { name: 'New session' }).waitFor();
  });

  it('opens a session that was set before the element was defined', async () => {
    const options = { extraHTTPHeaders: { authorization: 'Bearer ada' } };
    const first = await guide.open(options);
    await first.goto('/widget.html');
    await first.getByRole('button', { name: 'Open chat' }).click();
    model.push('Noted.');
    await new ChatPage(first).ask('remember the milk');
    const session = await first.evaluate<string>(`document.querySelector('agent-chat').session`);

    const page = await guide.open(options);
    // Deferred scripts run when the document has become interactive, and the widget is one of them.
    await page.addInitScript(`document.addEventListener('readystatechange', () => {
      if (document.readyState !== 'interactive') return;
      Object.assign(document.querySelector('agent-chat'), { session: '${session}', open: true });
    })`);
    await page.goto('/widget.html');
    await new ChatPage(page).shows('Noted.');
  });

  it('two lines say so where nobody is logged in', async () => {
    const page = await guide.open();
    await page.goto('/widget.html');
    await page.getByRole('button', { name: 'Open chat' }).click();
    await page.getByRole('alert').getByText('You are not logged in.').waitFor();
  });

  it('says in the console that headers in the markup are no JSON', async () => {
    const page = await guide.open();
    await page.goto('/widget.html');
    const error = page.waitForEvent('pageerror');
    await page.evaluate(
      `void document.querySelector('agent-chat').setAttribute('headers', '[object Object]')`,
    );
    expect((await error).message).toMatch(/"headers" of <agent-chat> must be a JSON object/);
  });

  it('a page of your own sends its headers, logs in, drives the chat and listens to it', async () => {
    const page = await guide.open();
    await page.goto('/shop.html');
    await logIn(page);
    await page.waitForURL('**/shop.html');
    model.push(...usesOrders);
    await page.getByRole('button', { name: 'Where is my order?' }).click();
    const chat = new ChatPage(page);
    await chat.shows('It was sent.');
    await page.getByText('list_orders was used').waitFor();
    expect(JSON.stringify(model.requests.at(-1))).toContain(
      'The user looks at the list of orders.',
    );
  });

  it('takes colours and sizes from the page', async () => {
    const page = await guide.open({ extraHTTPHeaders: { authorization: 'Bearer ada' } });
    await page.goto('/shop.html');
    const launcher = page.getByRole('button', { name: 'Open chat' });
    const look = (part: string, name: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('agent-chat').shadowRoot.querySelector('[part=${part}]')).${name}`,
      );
    expect(await look('launcher', 'backgroundColor')).toBe('rgb(10, 107, 77)');
    expect(await look('launcher', 'bottom')).toBe('64px');
    await launcher.click();
    await page.getByRole('complementary').waitFor();
    expect(await look('sidebar', 'width')).toBe('512px');
  });

  it('the served page sends to the log-in, and back', async () => {
    const page = await guide.open();
    await page.goto('/agent/ui');
    await logIn(page);
    await page.waitForURL('**/agent/ui');
    model.push(...usesOrders);
    const chat = new ChatPage(page);
    await chat.ask('where is my order?');
    await chat.endsAs('List orders', 'Done');
  });

  it.each(['/agent/ui', '/shop.html'])(
    'a token that expired is renewed, once for all that meet it, on %s',
    async (path) => {
      const page = await guide.open();
      await page.goto('/agent/ui');
      await logIn(page);
      await page.waitForURL('**/agent/ui');
      model.push('Noted.', 'Noted too.');
      const chat = new ChatPage(page);
      await chat.ask('the first message');
      const { hash } = new URL(page.url());
      await page.evaluate(
        `sessionStorage.setItem('shop.headers', '{"authorization":"Bearer old"}')`,
      );
      let renewals = 0;
      await page.route('**/auth/refresh', (route) => {
        renewals += 1;
        return route.fulfill({ json: { access_token: 'ada' } });
      });
      await page.goto('about:blank');
      await page.goto(path + hash);
      await page.getByRole('button', { name: 'Where is my order?' }).or(chat.message).click();
      if (path === '/agent/ui') await chat.ask('the second message');
      await chat.shows('Noted too.');

      expect(renewals).toBe(1);
      expect(model.requests.at(-1)?.messages.filter(({ role }) => role === 'user').length).toBe(
        path === '/agent/ui' ? 2 : 1,
      );
    },
  );

  it('imported from the package, on another domain', async () => {
    const page = await guide.open({ baseURL: shop.address });
    await page.goto('/');
    await page.getByRole('img', { name: /^Connected/ }).waitFor();
    model.push(...usesOrders);
    const chat = new ChatPage(page);
    await chat.ask('where is my order?');
    await chat.shows('It was sent.');
  });
});
