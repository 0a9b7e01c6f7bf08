import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/package/paths.mjs';

const PAGE = join(root, 'docs/benchmarks.md');
const START = '<!-- comparison:start -->';
const END = '<!-- comparison:end -->';

/** Puts the tables between the page's markers, formatted as the repository formats Markdown. */
export async function writeToPage(text) {
  const { format, resolveConfig } = createRequire(join(root, 'package.json'))('prettier');
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error(`${PAGE} has no ${START} … ${END}.`);
  const written = `${page.slice(0, start + START.length)}\n\n${text}\n\n${page.slice(end)}`;
  const config = await resolveConfig(PAGE);
  writeFileSync(PAGE, await format(written, { ...config, filepath: PAGE }));
}
