import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { AGENT_MODEL, memoryStore, SESSION_STORE, type ChatModel } from 'nestjs-agent';
import { Test } from '@nestjs/testing';
import type { INestApplication } from '@nestjs/common';
import { AppModule } from '../../../apps/demo/src/app.module';
import { serveApiDocs } from '../../../apps/demo/src/pages/api-docs';
import { DEMO_USERS } from '../../../apps/demo/src/auth/users.seed';
import { ChatPage } from './chat-page';
import { CHROMIUM_FLAGS, chromiumPath, throttle } from './chromium';

/** More than any step takes on a slow machine. */
export const STEP_MS = 30_000;

/** The demo on a free port, and a browser for it. Whatever goes wrong in a page is kept. */
export class DemoBrowser {
  private readonly problems: string[] = [];
  private readonly pages: Page[] = [];

  private constructor(
    private readonly app: INestApplication,
    private readonly browser: Browser,
    readonly address: string,
  ) {}

  /** With the offline model, or the one that a test plays. */
  static async start(model?: ChatModel): Promise<DemoBrowser> {
    const testing = Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(SESSION_STORE)
      .useValue(memoryStore());
    if (model) testing.overrideProvider(AGENT_MODEL).useValue(model);
    const app = (await testing.compile()).createNestApplication({ logger: false });
    serveApiDocs(app);
    await app.listen(0, '127.0.0.1');
    const executablePath = chromiumPath();
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
    return new DemoBrowser(app, browser, await app.getUrl());
  }

  /** An empty page in a profile of its own. */
  async open(options: BrowserContextOptions = {}, address = this.address): Promise<Page> {
    const context = await this.browser.newContext({ baseURL: address, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    await throttle(page);
    page.on('pageerror', (error) => this.problems.push(`error in the page: ${error.message}`));
    page.on('console', (line) => {
      if (/Content Security Policy/i.test(line.text())) this.problems.push(line.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) this.problems.push(`asked for ${request.url()}`);
    });
    await page.addInitScript(`
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error('Content Security Policy', violatedDirective, blockedURI));
    `);
    this.pages.push(page);
    return page;
  }

  /** Logs one of the demo's users in by the form; the chat stands open. */
  async logIn(user: string, options?: BrowserContextOptions, address?: string): Promise<ChatPage> {
    const page = await this.open(options, address);
    await page.goto('/');
    await page.getByLabel('User').fill(user);
    const password = DEMO_USERS.find(({ id }) => id === user)?.password ?? '';
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    const chat = new ChatPage(page);
    await chat.message.waitFor();
    return chat;
  }

  /** Closes the pages. @throws Error where a page met an error, broke its policy or left this server */
  async closePages(): Promise<void> {
    for (const page of this.pages.splice(0)) await page.context().close();
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(`In the browser:\n${problems.join('\n')}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.app.close();
  }
}
