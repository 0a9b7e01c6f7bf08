import { Test } from '@nestjs/testing';
import { AGENT_MODEL, memoryStore, SESSION_STORE, type ChatModel } from 'nestjs-agent';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { AppModule } from '../../../apps/demo/src/app.module';
import { DEMO_USERS } from '../../../apps/demo/src/auth/users.seed';
import { serveApiDocs } from '../../../apps/demo/src/pages/api-docs';
import { AppBrowser, during, SLOWDOWN } from './app-browser';
import { ChatPage, logIn } from './chat-page';
import { throttle } from './chromium';

/** The demo in a browser. Whatever goes wrong in a page is kept. */
export class DemoBrowser extends AppBrowser {
  private readonly problems: string[] = [];

  /** With the offline model, or the one that a test plays. */
  constructor(model?: ChatModel) {
    super(async () => {
      const testing = Test.createTestingModule({ imports: [AppModule] })
        .overrideProvider(SESSION_STORE)
        .useValue(memoryStore());
      if (model) testing.overrideProvider(AGENT_MODEL).useValue(model);
      const app = (await testing.compile()).createNestApplication({ logger: false });
      serveApiDocs(app);
      return app;
    });
  }

  override async open(
    options?: BrowserContextOptions,
    address = this.address,
    slowdown = SLOWDOWN,
  ): Promise<Page> {
    const page = await super.open(options, address, slowdown);
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
    return page;
  }

  /** Logs one of the demo's users in by the form, at full speed; the chat stands open. */
  async logIn(user: string, options?: BrowserContextOptions, address?: string): Promise<ChatPage> {
    const page = await this.open(options, address, 1);
    await page.goto('/');
    await logIn(page, user, DEMO_USERS.find(({ id }) => id === user)?.password ?? '');
    const chat = new ChatPage(page);
    await chat.message.waitFor();
    await throttle(page, SLOWDOWN);
    return chat;
  }

  /** Closes the pages. @throws Error where a page met an error, broke its policy or left this server */
  override async closePages(): Promise<void> {
    await super.closePages();
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(`In the browser:\n${problems.join('\n')}`);
  }
}

/** The demo for the tests of the block around it. */
export function useDemo(model?: ChatModel): DemoBrowser {
  return during(new DemoBrowser(model));
}
