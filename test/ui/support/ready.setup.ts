import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath } from './chromium';

const ROOT = join(__dirname, '../../..');
const REACT = join(ROOT, 'apps/react');

/** The browser is there, and the pages are built from the sources as they are now. */
export default function setup(): void {
  chromiumPath();
  run('build:ui', ROOT);
  // Who has not installed them learns that from their tests.
  if (existsSync(join(REACT, 'node_modules')) && isStale()) run('build', REACT);
}

function run(script: string, folder: string): void {
  execFileSync('npm', ['run', '--silent', script], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Whether a source of the pages in React, or what is installed for them, is newer than their build. */
function isStale(): boolean {
  const built = join(REACT, 'dist/index.html');
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  const pages = readdirSync(REACT).filter((name) => name.endsWith('.html'));
  const sources = ['src', 'copilotkit/src']
    .flatMap((folder) => filesIn(join(REACT, folder)))
    .concat([...pages, ...SETTINGS].map((name) => join(REACT, name)));
  return sources.some((path) => existsSync(path) && statSync(path).mtimeMs > mtimeMs);
}

const SETTINGS = [
  'vite.config.ts',
  'node_modules/.package-lock.json',
  'copilotkit/node_modules/.package-lock.json',
];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
