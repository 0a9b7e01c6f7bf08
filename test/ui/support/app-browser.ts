import type { INestApplication } from '@nestjs/common';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath, throttle } from './chromium';

/** More than any step takes on a slow machine. */
export const STEP_MS = 30_000;

/** CPU throttling of the pages: 6 is six times slower. The browser keeps a core busy for it. */
export const SLOWDOWN = Number(process.env.SLOWDOWN ?? 1);

/** An application on a free port, and a browser for it. */
export class AppBrowser {
  private readonly pages: Page[] = [];
  private app?: INestApplication;
  private browser?: Browser;
  /** Where the application answers; known once the tests run. */
  address = '';

  constructor(private readonly build: () => Promise<INestApplication>) {}

  async start(): Promise<void> {
    this.app = await this.build();
    await this.app.listen(0, '127.0.0.1');
    this.address = await this.app.getUrl();
    const executablePath = chromiumPath();
    this.browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  }

  /** An empty page in a profile of its own. */
  async open(
    options: BrowserContextOptions = {},
    address = this.address,
    slowdown = SLOWDOWN,
  ): Promise<Page> {
    const context = await this.browser!.newContext({ baseURL: address, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    await throttle(page, slowdown);
    this.pages.push(page);
    return page;
  }

  async closePages(): Promise<void> {
    for (const page of this.pages.splice(0)) await page.context().close();
  }

  async close(): Promise<void> {
    await this.browser?.close();
    await this.app?.close();
  }
}

/** Starts it before the tests of the block or file around it, and ends it after them. */
export function during<T extends AppBrowser>(app: T): T {
  // With two pages on a machine with other load, a test takes more than a minute.
  jest.setTimeout(6 * STEP_MS);
  beforeAll(() => app.start());
  afterEach(() => app.closePages());
  afterAll(() => app.close());
  return app;
}
