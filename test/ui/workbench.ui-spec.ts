import { Module, UseGuards } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AgentModule } from 'nestjs-agent';
import { LoginGuard, MathTools } from '../http/agent-app';
import { AppBrowser, during } from './support/app-browser';
import { model } from './support/workbench-app';
import { WorkbenchBrowser } from './support/workbench-browser';

describe('the workbench in a browser', () => {
  const shop = during(new WorkbenchBrowser());

  it('is not there without a log-in', async () => {
    const page = await shop.open();
    const response = await page.goto('/agent/workbench');
    expect(response?.status()).toBe(401);
  });

  it('says in plain words what to do where the server is away, or a proxy answers', async () => {
    const bench = await shop.as('alice');
    const { page } = bench;
    const alert = page.getByRole('alert');
    await bench.button(/^list_orders/).waitFor();
    await page.context().setOffline(true);
    await bench.tab('Try').click();
    const away = 'The server cannot be reached. Check that it runs, then try again.';
    await alert.getByText(away).waitFor();
    await bench.tab('Runs').click();
    await alert.getByText(away).waitFor();
    await page.context().setOffline(false);
    const body = '<h1>Log in</h1>';
    await page.route('**/agent/workbench/**', (route) => route.fulfill({ status: 502, body }));
    await bench.tab('Tools').click();
    await alert.getByText(/^The server answered 502/).waitFor();
    await page.unrouteAll();
    await page.route('**/agent/workbench/**', (route) => route.fulfill({ body }));
    await bench.tab('Try').click();
    await alert.getByText(/^The server answered 200/).waitFor();
  });

  it('is in the language of its page', async () => {
    const page = await shop.open({ extraHTTPHeaders: { authorization: 'Bearer alice' } });
    await page.route('**/agent/workbench', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('<html lang="en">', '<html lang="de">');
      await route.fulfill({ response, body });
    });
    await page.goto('/agent/workbench');
    await page.getByText(/^\d+ Werkzeuge, etwa \d+ Token$/).waitFor();
    await page.getByRole('tab', { name: 'Läufe' }).click();
    await page.getByRole('searchbox', { name: 'Ihre Läufe durchsuchen' }).waitFor();
  });
});

describe('the workbench on Fastify', () => {
  const shop = during(new WorkbenchBrowser(new FastifyAdapter()));

  it('lists tools, calls one, and shows a run', async () => {
    const bench = await shop.as('alice');
    await bench.page.getByText(/^\d+ tools, about \d+ tokens$/).waitFor();
    const result = await bench.try('list_orders');
    await result.getByText('Executed', { exact: true }).waitFor();
    await shop.converse('alice', 'where is order 7?');
    await bench.tab('Runs').click();
    await bench.page.getByText('where is order 7?').first().waitFor();
  });
});

describe('the workbench where the page brings the log-in', () => {
  const shop = during(
    new AppBrowser(async () => {
      @Module({
        imports: [
          AgentModule.forRoot({
            model,
            workbench: true,
            decorators: [UseGuards(LoginGuard)],
            ui: { headersKey: 'shop.headers' },
          }),
        ],
        providers: [MathTools],
      })
      class TokenModule {}

      const testing = await Test.createTestingModule({ imports: [TokenModule] }).compile();
      return testing.createNestApplication({ logger: false });
    }),
  );

  it('sends the headers of the log-in, and says so where there are none', async () => {
    const page = await shop.open();
    await page.goto('/agent/workbench');
    await page.getByRole('alert').getByText('Unauthorized').waitFor();
    await page.evaluate(
      `sessionStorage.setItem('shop.headers', '{"authorization":"Bearer alice"}')`,
    );
    await page.reload();
    await page.getByRole('button', { name: /hidden/ }).waitFor();
  });
});
