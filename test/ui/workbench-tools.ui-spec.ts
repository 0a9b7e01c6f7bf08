import { ExpressAdapter } from '@nestjs/platform-express';
import type { Locator } from 'playwright-core';
import { during } from './support/app-browser';
import { WorkbenchBrowser } from './support/workbench-browser';

describe('the tools of the workbench', () => {
  const shop = during(new WorkbenchBrowser());

  it('lists tools, filters them, and shows one in the words of a provider', async () => {
    const { page } = await shop.as('alice');
    await page.getByText(/^\d+ tools, about \d+ tokens$/).waitFor();
    await page.getByText('Tokens are estimated: o200k_base').waitFor();
    await page.getByLabel('Filter tools').fill('order');
    await page.getByRole('button', { name: /list_orders/ }).click();
    await page.getByText('OrdersController.list').waitFor();
    await page.getByText('allowed').waitFor();
    await page.getByLabel('As told to').selectOption('openai');
    await page.getByRole('group', { name: 'Definition' }).getByText('"strict": true').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'list_orders' }).waitFor();
  });
});

describe('the workbench of one who may see all tools', () => {
  const shop = during(
    new WorkbenchBrowser(new ExpressAdapter(), {
      tools: { offer: 'guarded' },
      workbench: { all: ({ principal }) => principal === 'ada' },
    }),
  );

  it('shows why tools are withheld; warnings, groups, resources and prompts', async () => {
    const withheld = [
      ['hidden', 'hidden', 'it is hidden.'],
      ['sell_shop', 'denied', 'it is denied to all.'],
      ['count_takings', 'inactive_group', 'its group is inactive.'],
      ['open_till', 'guards', 'its guards refuse you. Permission denied: The shop is closed.'],
    ] as const;
    const { page } = await shop.as('ada');
    const row = (name: string): Locator =>
      page.getByRole('button', { name: new RegExp(`^${name} `) });
    await row('list_orders').waitFor();
    const total = await page.getByText(/tools, about/).innerText();
    for (const [name] of withheld) expect(await row(name).count()).toBe(0);
    await page.getByLabel(/^Show all tools/).check();
    for (const [name, mark, reason] of withheld) {
      await row(name).getByText(mark, { exact: true }).last().waitFor();
      await row(name).click();
      await page.getByText(`Not offered to you: ${reason}`).waitFor();
    }
    expect(await page.getByText(/tools, about/).innerText()).toBe(total);
    await row('count_takings').click();
    await page.getByRole('definition').getByText('night', { exact: true }).waitFor();
    await row('add').getByText('Warnings').waitFor();
    await row('add').click();
    await page.getByRole('heading', { name: 'Warnings' }).waitFor();
    await page.getByText('No description of "a", "b".').waitFor();
    const offers = page.getByRole('listitem').filter({ hasText: '/mcp' });
    await offers.filter({ hasText: 'shop://hours' }).getByText('Opening hours').waitFor();
    await offers
      .filter({ hasText: 'Greets a customer' })
      .getByText('customer', { exact: true })
      .waitFor();

    const other = await shop.as('bob');
    await other.page.getByText(/tools, about/).waitFor();
    expect(await other.page.getByLabel(/^Show all tools/).count()).toBe(0);
    for (const [name] of withheld) {
      expect(await other.page.getByRole('button', { name: new RegExp(`^${name} `) }).count()).toBe(
        0,
      );
    }
    await other.page.goto('/agent/workbench#tools/hidden');
    await other.page.reload();
    await other.page.getByRole('alert').getByText('hidden').waitFor();
  });
});
