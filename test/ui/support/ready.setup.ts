import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath } from './chromium';

const ROOT = join(__dirname, '../../..');

/** What a package builds, and from what. */
interface Built {
  readonly folder: string;
  /** The file that is written last. */
  readonly output: string;
  /** Folders and files; what is missing was never installed. */
  readonly sources: readonly string[];
}

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

function isStale({ folder, output, sources }: Built): boolean {
  const built = join(folder, output);
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  return sources
    .flatMap((name) => filesIn(join(folder, name)))
    .some((path) => statSync(path).mtimeMs > mtimeMs);
}

/** The files of a folder, or the file itself; none if there is nothing. */
function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
