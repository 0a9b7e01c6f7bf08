// Runs every *.bench.ts of this folder, or those whose names hold the words given, each in a
// process of its own: `npm run bench -- schema`.
/* global __dirname, console, process */
const { spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const hook = join(__dirname, '../../../test/support/typescript-hook.cjs');
const words = process.argv.slice(2);
const files = readdirSync(__dirname)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort();

for (const file of files) {
  console.log(`\n# ${file}`);
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--require', hook, join(__dirname, file)],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exitCode = 1;
}
