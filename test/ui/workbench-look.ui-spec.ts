import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { during } from './support/app-browser';
import { violations } from './support/violations';
import { EVIL, model, writeEvals } from './support/workbench-app';
import { WorkbenchBrowser } from './support/workbench-browser';

/** Pictures are taken where a folder for them is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.UI_PICTURES;
  if (folder === undefined) return;
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['desk', { viewport: { width: 1_200, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
];

describe('the look of the workbench', () => {
  const shop = during(new WorkbenchBrowser());

  it('keeps the words of the chosen tab readable below the pointer', async () => {
    const { page, tab } = await shop.as('alice');
    await tab('Tools').hover();
    expect(await violations(page)).toEqual([]);
  });

  it('tells the chosen tab and row from the others in forced colours', async () => {
    const { page } = await shop.as('alice', { forcedColors: 'active' });
    await page.getByRole('button', { name: /remove_file/ }).click();
    await page.getByText('asks for approval').waitFor();
    // The system itself highlights focused and hovered elements.
    await page.mouse.move(0, 0);
    const borders = (part: string): Promise<string[]> =>
      page.evaluate(`[':is([aria-selected=true], [aria-current])',
        ':not([aria-selected=true], [aria-current])'].map((state) => getComputedStyle(document
          .querySelector('agent-workbench').shadowRoot.querySelector('${part}' + state)).border)`);
    for (const part of ['.tabs button', '.row']) {
      const [chosen, other] = await borders(part);
      expect(chosen).not.toBe(other);
    }
  });

  it('shows hostile texts as texts', async () => {
    const bench = await shop.as('alice');
    const { page } = bench;
    await page.getByRole('button', { name: /read_reviews/ }).click();
    await page.getByText(`Hostile ${EVIL}`).waitFor();
    const result = await bench.try('read_reviews');
    await result.getByText('Executed', { exact: true }).waitFor();
    const read = result.getByRole('group', { name: 'What the model reads' });
    await read.getByText('<img src=x').first().waitFor();
    // The endpoint refuses such a key; the form has sent it as it was typed.
    await page.getByLabel('__proto__').fill('polluted');
    await bench.button('Call as me').click();
    await page.getByRole('alert').getByText('__proto__').waitFor();
    expect(await page.evaluate('({}).polluted')).toBeUndefined();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(
      await page.evaluate(
        `document.querySelector('agent-workbench').shadowRoot.querySelectorAll('img, script').length`,
      ),
    ).toBe(0);
  });

  it('is used by the keyboard alone', async () => {
    const { page } = await shop.as('alice');
    await page.getByText(/tools, about/).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    const tool = page.getByLabel('Tool', { exact: true });
    await tool.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('find_books');
    await page.getByLabel('title').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await page.getByText('Executed', { exact: true }).waitFor();
  });

  it.each(LOOKS)(
    'meets the accessibility rules, and fits, in light and dark: %s',
    async (look, options) => {
      const user = `eve-${look}`;
      await shop.converse(user, 'Where is my order?');
      const bench = await shop.as(user, options);
      const { page } = bench;
      const check = async (part: string): Promise<void> => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await picture(page, `workbench-${part}-${look}-${colorScheme}`);
          const found = await violations(page);
          expect({ part, colorScheme, found }).toEqual({ part, colorScheme, found: [] });
        }
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(options.viewport?.width ?? 0);
      };
      await page.getByRole('button', { name: /remove_file/ }).click();
      await page.getByText('asks for approval').waitFor();
      await check('tools');
      await bench.try('open_till');
      await check('try');
      await bench.tab('Runs').click();
      await page.getByRole('button', { name: /^Where is my order/ }).click();
      await page.getByRole('button', { name: 'Show the request of step 2' }).click();
      await page.getByText(/^Rebuilt/).waitFor();
      await check('runs');
      writeEvals({
        cases: [
          { message: 'Which orders?', calls: [{ name: 'list_orders', input: {} }], answer: 'sent' },
          { message: 'Is there a book of Nest?', calls: [{ name: 'find_books' }] },
        ],
      });
      model.push({ toolCalls: [{ name: 'list_orders' }] }, 'It was sent.', 'I do not know.');
      await bench.tab('Evaluate').click();
      await page.getByLabel('Attempts at a time').fill('1');
      await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
      await check('agreement');
      await page.getByRole('button', { name: 'Run them' }).click();
      await page.getByText('1 passed, 1 failed, 0 left out').waitFor();
      await check('evaluate');
    },
  );
});
