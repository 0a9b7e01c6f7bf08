import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { AgentModuleOptions } from 'nestjs-agent';
import type { BrowserContextOptions } from 'playwright-core';
import { AppBrowser } from './app-browser';
import { model, workbenchApp } from './workbench-app';
import { WorkbenchPage } from './workbench-page';

interface Asked {
  readonly sessionId: string;
  readonly runId: string;
  readonly pendingActions: readonly { readonly callId: string }[];
}

/** The bookshop, and a browser that reports forbidden behaviour of a page. */
export class WorkbenchBrowser extends AppBrowser {
  private readonly problems: string[] = [];

  constructor(
    adapter: AbstractHttpAdapter = new ExpressAdapter(),
    more: Partial<AgentModuleOptions> = {},
  ) {
    super(() => workbenchApp(adapter, more));
  }

  /** A user who is logged in by a cookie. */
  async as(
    user: string,
    options: BrowserContextOptions = {},
    agent = 'agent',
  ): Promise<WorkbenchPage> {
    const headers = { authorization: `Bearer ${user}` };
    const page = await this.open({ extraHTTPHeaders: headers, ...options });
    page.on('pageerror', (error) => this.problems.push(`error in the page: ${error.message}`));
    page.on('console', (line) => {
      if (/Content Security Policy/i.test(line.text())) this.problems.push(line.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.address)) this.problems.push(`asked for ${request.url()}`);
    });
    await page.goto(`/${agent}/workbench`);
    await page.getByRole('tab', { name: 'Tools' }).waitFor();
    return new WorkbenchPage(page);
  }

  /** A run of this user, approved. */
  async converse(user: string, message: string): Promise<void> {
    model.push(
      { text: 'I look.', toolCalls: [{ name: 'list_orders' }] },
      { toolCalls: [{ name: 'remove_file', input: { name: 'old.txt' } }] },
      'Order 7 was sent, and old.txt is gone.',
    );
    const { runId, pendingActions } = await this.ask(user, 'chat', { message });
    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
    await this.ask(user, `runs/${runId}/actions`, { actions });
  }

  async ask(user: string, path: string, body: object): Promise<Asked> {
    const response = await fetch(`${this.address}/agent/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Asked;
  }

  override async closePages(): Promise<void> {
    await super.closePages();
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(`In the browser:\n${problems.join('\n')}`);
  }
}
