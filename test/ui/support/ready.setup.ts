import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Built, isStale } from '../../support/built';
import { chromiumPath } from './chromium';

const ROOT = join(__dirname, '../../..');

const CHAT_PAGE: Built = {
  folder: join(ROOT, 'libs/chat-ui'),
  output: 'dist/agent-workbench.js',
  sources: ['src', 'public', 'vite.config.ts', 'package.json'],
};
const REACT_PAGES: Built = {
  folder: join(ROOT, 'apps/react'),
  output: 'dist/index.html',
  sources: [
    'src',
    'copilotkit/src',
    ...['index', 'use-chat', 'assistant-ui', 'ag-ui', 'copilotkit'].map((page) => `${page}.html`),
    'vite.config.ts',
    'node_modules/.package-lock.json',
    'copilotkit/node_modules/.package-lock.json',
  ],
};

/** The browser is there, and the pages are built from the sources as they are now. */
export default function setup(): void {
  chromiumPath();
  if (isStale(CHAT_PAGE)) build(CHAT_PAGE);
  // Who has not installed them learns that from their tests.
  const isInstalled = existsSync(join(REACT_PAGES.folder, 'node_modules'));
  if (isInstalled && isStale(REACT_PAGES)) build(REACT_PAGES);
}

function build({ folder }: Built): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
