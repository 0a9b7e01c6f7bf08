import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Page } from 'playwright-core';

// The headless shell first: the same engine without a browser's own windows, for two thirds of the time.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Where the browser is: `CHROMIUM`, or the first of its usual names on the path. */
export function chromiumPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const usual = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [process.env.CHROMIUM ?? '', ...usual].find(
    (path) => path !== '' && existsSync(path),
  );
  if (found !== undefined) return found;
  throw new Error(
    'These tests need Chromium. Install it ("apt-get install -y chromium-headless-shell" on Debian), or set CHROMIUM to the path of a Chromium or Chrome.',
  );
}

/** Headless, and silent towards the network. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Slows the page's processor down by a factor; 1 leaves it as it is. */
export async function throttle(page: Page, rate: number): Promise<void> {
  if (rate === 1) return;
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate });
}
