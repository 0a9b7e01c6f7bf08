import type { Locator, Page } from 'playwright-core';

/** The workbench as a developer sees it: its parts are found by their accessible names. */
export class WorkbenchPage {
  constructor(readonly page: Page) {}

  readonly tab = (name: 'Tools' | 'Try' | 'Runs' | 'Evaluate'): Locator =>
    this.page.getByRole('tab', { name, exact: true });

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  async try(tool: string, fields: Readonly<Record<string, string>> = {}): Promise<Locator> {
    await this.tab('Try').click();
    await this.page.getByLabel('Tool', { exact: true }).selectOption(tool);
    for (const [name, value] of Object.entries(fields)) {
      await this.page.getByLabel(name).first().fill(value);
    }
    await this.button('Call as me').click();
    const result = this.page.getByRole('region', { name: 'Result', exact: true });
    await result.waitFor();
    return result;
  }
}
