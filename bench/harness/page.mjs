import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/package/paths.mjs';

const PAGE = join(root, 'docs/benchmarks.md');
const START = '<!-- comparison:start -->';
const END = '<!-- comparison:end -->';

/** Puts the tables between the page's markers, formatted as the repository formats Markdown. */
export function writeToPage(text) {
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error(`${PAGE} has no ${START} … ${END}.`);
  const written = `${page.slice(0, start + START.length)}\n\n${text}\n\n${page.slice(end)}`;
  writeFileSync(PAGE, written);
  execFileSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), PAGE], { cwd: root });
}
