import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Module, UseGuards } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AgentModule } from 'nestjs-agent';
import type { ScriptedModel } from 'nestjs-agent/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { BearerGuard, MathTools } from '../../http/agent-app';
import { AppBrowser, during } from './app-browser';

export const REACT_PAGES = join(__dirname, '../../../apps/react');

/** An application with the pages of apps/react. Errors in a page are recorded. */
export class ReactBrowser extends AppBrowser {
  private readonly problems: string[] = [];

  constructor(model: ScriptedModel) {
    super(async () => {
      @Module({
        imports: [
          AgentModule.forRoot({
            model,
            decorators: [UseGuards(BearerGuard)],
            // So that a page can be loaded again in mid-run.
            onDisconnect: 'continue',
          }),
        ],
        providers: [MathTools],
      })
      class ReactModule {}

      const testing = await Test.createTestingModule({ imports: [ReactModule] }).compile();
      const app = testing.createNestApplication<NestExpressApplication>({ logger: false });
      app.useStaticAssets(join(REACT_PAGES, 'dist'));
      return app;
    });
  }

  override async start(): Promise<void> {
    if (!existsSync(join(REACT_PAGES, 'dist/index.html'))) {
      throw new Error('The pages of apps/react are not built: npm ci --prefix apps/react');
    }
    await super.start();
  }

  /** One of the pages, with a user who has just logged in. */
  async logIn(
    path: string,
    user: string,
    options?: BrowserContextOptions,
    address = this.address,
  ): Promise<Page> {
    const page = await this.open(options, address);
    page.on('pageerror', (error) => this.problems.push(`error in the page: ${error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !/^(data|blob):/.test(url)) {
        this.problems.push(`asked for ${url}`);
      }
    });
    await page.goto(path);
    await page.getByLabel('Name').fill(user);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(/thread=/);
    return page;
  }

  /** Closes the pages. @throws Error where a page met an error, or left this server */
  override async closePages(): Promise<void> {
    await super.closePages();
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(`In the browser:\n${problems.join('\n')}`);
  }
}

/** The pages of apps/react for the tests of the block around it. */
export function useReactPages(model: ScriptedModel): ReactBrowser {
  return during(new ReactBrowser(model));
}
