// Runs every *.bench.ts below this folder, or those whose paths contain the given words, each in a
// separate process: `npm run bench -- schema`, `npm run bench -- startup/`.
const { spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const hook = join(__dirname, '../../../test/support/typescript-hook.cjs');
const words = process.argv.slice(2);
const files = readdirSync(__dirname, { recursive: true })
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
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
