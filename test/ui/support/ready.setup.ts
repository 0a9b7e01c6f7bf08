import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromiumPath } from './chromium';

/** The browser is there, and the page is built from the sources as they are now. */
export default function setup(): void {
  chromiumPath();
  execFileSync('npm', ['run', '--silent', 'build:ui'], {
    cwd: join(__dirname, '../../..'),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
