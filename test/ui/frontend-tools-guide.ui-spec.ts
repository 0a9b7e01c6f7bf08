import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AGENT_MODEL } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { AppModule } from '../../docs/snippets/frontend-tools/app.module';
import { AppBrowser, during } from './support/app-browser';
import { ChatPage } from './support/chat-page';

describe('the page of the guide to frontend tools', () => {
  const model = new ScriptedModel([]);
  const guide = during(
    new AppBrowser(async () => {
      const testing = Test.createTestingModule({ imports: [AppModule] });
      const built = await testing.overrideProvider(AGENT_MODEL).useValue(model).compile();
      const app = built.createNestApplication<NestExpressApplication>({ logger: false });
      return app.useStaticAssets(join(__dirname, '../../docs/snippets/frontend-tools'));
    }),
  );

  it('opens an order, has the user confirm, and offers the ready-made tools', async () => {
    const page = await guide.open({ extraHTTPHeaders: { authorization: 'Bearer ada' } });
    await page.goto('/orders.html');
    const chat = new ChatPage(page);
    model.push({ toolCalls: [{ name: 'open_order', input: { id: 17 } }] }, 'It is open.');
    await chat.ask('open my order 17');
    await page.getByRole('heading', { name: 'Order 17', exact: true }).waitFor();
    const told = () => JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.content);
    expect(told()).toContain('17, sent');
    expect(model.requests.at(-1)?.tools.map(({ name }) => name)).toEqual([
      'list_orders',
      'open_order',
      'confirm_by_user',
      'show_notification',
      'set_theme',
    ]);

    model.push({ toolCalls: [{ name: 'confirm_by_user' }] }, 'Thank you.');
    await chat.say('let me confirm');
    await page.getByRole('button', { name: 'Yes' }).click();
    await chat.shows('Thank you.');
    expect(told()).toContain('Confirmed.');

    model.push({ toolCalls: [{ name: 'confirm_by_user' }] });
    await chat.say('let me confirm once more');
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    // The dialog is modal, so the chat is stopped by its own element.
    await page.evaluate(`document.querySelector('agent-chat').stop()`);
    await page.getByRole('button', { name: 'Yes' }).waitFor({ state: 'hidden' });
  });
});
