import { chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../ui/support/chromium';

/** Does something in an empty page of a browser. */
export async function inBrowser(work: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
  try {
    await work(await browser.newPage());
  } finally {
    await browser.close();
  }
}
