import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The demo's own pages and their assets, by their paths. */
export const DEMO_FILES = {
  '/': { file: 'landing.html', mediaType: 'text/html; charset=utf-8' },
  '/login': { file: 'login.html', mediaType: 'text/html; charset=utf-8' },
  '/platform': { file: 'platform.html', mediaType: 'text/html; charset=utf-8' },
  '/pages/icon.svg': { file: 'icon.svg', mediaType: 'image/svg+xml; charset=utf-8' },
  '/pages/demo.css': { file: 'demo.css', mediaType: 'text/css; charset=utf-8' },
  '/pages/account.js': { file: 'account.js', mediaType: 'text/javascript; charset=utf-8' },
  '/pages/landing.js': { file: 'landing.js', mediaType: 'text/javascript; charset=utf-8' },
  '/pages/login.js': { file: 'login.js', mediaType: 'text/javascript; charset=utf-8' },
  '/pages/platform.js': { file: 'platform.js', mediaType: 'text/javascript; charset=utf-8' },
} as const;

export type DemoPath = keyof typeof DEMO_FILES;

/** The login keeps the request's headers under this key, in this tab only. */
export const HEADERS_KEY = 'platform.headers';

/** They load and call nothing but this server. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The folder of the files: beside this one in the sources, further up where it was compiled. */
export function demoFile(name: string): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    for (const place of ['public', 'apps/demo/src/pages/public']) {
      const path = join(folder, place, name);
      if (existsSync(path)) return path;
    }
  }
  throw new Error(`The demo's page ${name} is missing: run the demo inside of its repository.`);
}
