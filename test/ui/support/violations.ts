import { source as axeSource } from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core finds wrong with a page as it stands. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(
    ({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`);
}
