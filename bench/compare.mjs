// Compares a streamed turn with one tool call: this library, by hand, and other frameworks.
//   npm run compare                        installs, measures all and prints the tables
//   npm run compare -- --quick sdk-loop    a short run of those named, beside the baseline
//   npm run compare -- --no-install        with what is installed
//   npm run compare -- --write             puts the tables into docs/benchmarks.md
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodePrograms } from '../scripts/matrix/nodes.mjs';
import { BASELINE, CONTESTANTS, NODE, OLDEST_NODE } from './contestants.mjs';
import { compile, install } from './harness/install.mjs';
import { FULL, QUICK } from './harness/loads.mjs';
import { measure } from './harness/measure.mjs';
import { writeToPage } from './harness/page.mjs';
import { report } from './harness/report.mjs';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    install: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const entries = chosen(names);
const temporary = mkdtempSync(join(tmpdir(), 'nestjs-agent-compare-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

if (options.install) {
  say('building and installing');
  await install();
}
compile();
const programs = await nodePrograms([NODE, OLDEST_NODE], temporary);
const pairs = [NODE, OLDEST_NODE].flatMap((version) =>
  entries
    .filter(({ nodes }) => nodes.includes(version))
    .map((entry) => ({ entry, node: { version, program: programs.get(version) } })),
);
const results = await measure(pairs, options.quick ? QUICK : FULL, say);
const given = process.argv.slice(2);
const text = report(
  results,
  ['npm run compare', ...(given.length > 0 ? ['--'] : []), ...given].join(' '),
);
console.log(text);
if (options.write) writeToPage(text);

/** @throws Error where a name is no contestant's */
function chosen(keys) {
  const unknown = keys.filter((key) => !CONTESTANTS.some((entry) => entry.key === key));
  if (unknown.length > 0) throw new Error(`No contestant is called ${unknown.join(', ')}.`);
  const named = CONTESTANTS.filter(
    ({ key }) => keys.length === 0 || key === BASELINE || keys.includes(key),
  );
  return named.filter(({ key, needs }) => {
    const runs = needs === undefined || process.env[needs] !== undefined;
    if (!runs) say(`${key} is left out: ${needs} is not set`);
    return runs;
  });
}

function say(what) {
  console.error(what);
}
