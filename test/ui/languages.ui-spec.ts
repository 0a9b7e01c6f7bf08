import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, Tool } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import type { Page } from 'playwright-core';
import { AppBrowser, during } from './support/app-browser';
import { useDemo } from './support/demo-browser';
import { deploy } from './support/script';
import { violations } from './support/violations';

describe('the language of the chat', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('is that of the page, and changes with the attribute', async () => {
    const { page } = await demo.logIn('bob');
    await page.evaluate(`document.querySelector('agent-chat').lang = 'de-CH'`);
    model.push(deploy('2.0.0'), {
      text: 'Fertig.',
      usage: { inputTokens: 1_200, outputTokens: 34, totalTokens: 1_234 },
    });
    await page.getByRole('textbox', { name: 'Nachricht', exact: true }).fill('los');
    await page.getByRole('button', { name: 'Senden' }).click();
    const form = page.getByRole('group', {
      name: 'Der Assistent möchte Deploy application ausführen.',
    });
    await form.getByRole('button', { name: 'Erlauben' }).click();
    await page.getByText(/^1\.\d{3} Token \(/).waitFor();
    expect(await violations(page)).toEqual([]);

    await page.evaluate(`document.querySelector('agent-chat').lang = 'en'`);
    await page.getByText(/^1,\d{3} tokens \(/).waitFor();
    await page.getByRole('button', { name: 'Regenerate', exact: true }).waitFor();
  });

  it('is that of the page within a shadow tree too', async () => {
    const { page } = await demo.logIn('bob');
    await page.evaluate(`
      document.documentElement.lang = 'DE-at';
      const box = document.createElement('div');
      box.attachShadow({ mode: 'open' }).append(document.querySelector('agent-chat'));
      document.body.append(box);
    `);
    await page.getByRole('button', { name: 'Senden' }).waitFor();
  });

  it('gives each paragraph of an answer the direction of its language', async () => {
    const chat = await demo.logIn('bob');
    model.push('It is said so:\n\nשלום עולם.\n\n- أهلا\n\nIn English.');
    await chat.ask('greet');
    const stands = (text: string, direction: 'ltr' | 'rtl'): Promise<void> =>
      chat.log
        .getByText(text)
        .and(chat.page.locator(`:dir(${direction})`))
        .waitFor();
    await stands('It is said so:', 'ltr');
    await stands('שלום עולם.', 'rtl');
    await stands('أهلا', 'rtl');
    await stands('In English.', 'ltr');
  });

  it.each([1200, 320])('may be one from right to left, %i pixels wide', async (width) => {
    const { page } = await demo.logIn('bob', { viewport: { width, height: 800 } });
    await page.evaluate(`
      document.documentElement.dir = 'rtl';
      document.documentElement.lang = 'he';
      document.querySelector('agent-chat').texts =
        { send: 'שליחה', message: 'הודעה', pastSessions: 'שיחות קודמות' };
    `);
    model.push('שלום, `npm ci` מוכן.');
    await page.getByRole('textbox', { name: 'הודעה', exact: true }).fill('שלום');
    await page.getByRole('button', { name: 'שליחה' }).click();
    await page.getByText('מוכן').waitFor();
    const send = await page.getByRole('button', { name: 'שליחה' }).boundingBox();
    expect(send?.x).toBeLessThan(width / 2);
    await page.getByRole('button', { name: 'שיחות קודמות' }).click();
    await page.getByRole('region', { name: 'שיחות קודמות' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});

const WORKBENCH = `document.querySelector('agent-workbench')`;
/** Where the text of a part of the workbench begins. */
const direction = (part: string): string =>
  `getComputedStyle(${WORKBENCH}.shadowRoot.querySelector('${part}')).direction`;

@Injectable()
class ClockTools {
  @Tool({ description: 'What time it is', readOnly: true })
  read_clock(): string {
    return 'noon';
  }
}

describe('the language of the workbench', () => {
  const model = new ScriptedModel([]);
  const shop = during(
    new AppBrowser(async () => {
      @Module({
        imports: [
          AgentModule.forRoot({
            model,
            name: 'shop',
            workbench: true,
            ui: { lang: 'he', script: '/words.js' },
          }),
        ],
        providers: [ClockTools],
      })
      class ShopModule {}

      const testing = await Test.createTestingModule({ imports: [ShopModule] }).compile();
      return testing.createNestApplication({ logger: false });
    }),
  );
  const opened = async (script: string, width = 1200): Promise<Page> => {
    const page = await shop.open({ viewport: { width, height: 800 } });
    await page.route('**/words.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.goto('/agent/workbench');
    return page;
  };
  const texts = {
    heading: 'סדנת {agent}',
    tabs: { tools: 'כלים' },
    tools: { total: '{tools} כלים, בערך {tokens} אסימונים' },
    nothing: { of: 'this' },
  };

  it.each([1200, 390])('is that of the words of the page, %i pixels wide', async (width) => {
    const words = `${WORKBENCH}.texts = ${JSON.stringify(texts)};`;
    const page = await opened(words, width);
    await page.getByRole('heading', { name: 'סדנת Shop' }).waitFor();
    await page.getByText(/^1 כלים, בערך \d+ אסימונים$/).waitFor();
    const tools = page.getByRole('tab', { name: 'כלים', exact: true });
    const others = page.getByRole('tab', { name: 'Try', exact: true });
    const [first, second] = [await tools.boundingBox(), await others.boundingBox()];
    expect(first?.x).toBeGreaterThan(second?.x ?? Infinity);
    // The arrow key moves in the direction it shows.
    await tools.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await others.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: /read_clock/ }).click();
    await page.getByRole('group', { name: 'Definition' }).waitFor();
    expect(await page.evaluate(direction('pre'))).toBe('ltr');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('changes with the attributes, and is English from left to right without words', async () => {
    const page = await opened('');
    await page.getByText(/^1 tools, about \d+ tokens$/).waitFor();
    expect(await page.evaluate(direction('.tabs'))).toBe('ltr');
    await page.evaluate(`${WORKBENCH}.setAttribute('lang', 'de-AT')`);
    await page.getByText(/^1 Werkzeuge, etwa \d+ Token$/).waitFor();
    const own = JSON.stringify(JSON.stringify({ tabs: { runs: 'Abläufe' } }));
    await page.evaluate(`${WORKBENCH}.setAttribute('texts', ${own})`);
    await page.getByRole('tab', { name: 'Abläufe' }).waitFor();
    await page.getByRole('tab', { name: 'Werkzeuge' }).waitFor();
  });
});
