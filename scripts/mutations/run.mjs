// Shows that tests catch faults: for each fault of faults.mjs it runs the tests named there with
// the fault in place, and they must fail. The files are not changed.
//   npm run test:mutations [-- <words of a path>]
//   npm run test:mutations -- --check   whether the faults fit the code, without tests
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { argv, env, execPath, exit, stdout } from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { FAULTS } from './faults.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HOOK = join(ROOT, 'scripts/mutations/hook.cjs');
/** Tests that do not end have caught their fault: each takes seconds. */
const LONGEST_MS = 180_000;

for (const { file, find, tests } of FAULTS) {
  const times = readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;
  if (times !== 1) throw new Error(`${file} has ${times} times: ${find}`);
  if (!existsSync(join(ROOT, tests))) throw new Error(`${file} has no tests at ${tests}.`);
}

const words = argv.slice(2);
if (words.includes('--check')) exit(0);
const chosen = FAULTS.filter(({ file }) => words.every((word) => file.includes(word)));
const queue = chosen.values();
let missed = 0;

await Promise.all(Array.from({ length: availableParallelism() }, worker));
stdout.write(`${chosen.length - missed} of ${chosen.length} faults are caught.\n`);
exit(missed === 0 ? 0 : 1);

async function worker() {
  for (const fault of queue) {
    const said = await test(fault);
    // A test must fail: a file that does not load proves nothing.
    const isCaught = /^Tests: .*\bfailed/m.test(said) && !said.includes('suite failed to run');
    if (!isCaught) missed += 1;
    stdout.write(`${isCaught ? 'caught' : 'MISSED'}  ${fault.file}: ${fault.find.trim()}\n`);
    if (!isCaught) stdout.write(`${said}\n`);
  }
}

function test({ file, find, replace, tests }) {
  const fault = JSON.stringify({ path: join(ROOT, file), find, replace });
  const child = spawn(
    execPath,
    ['--require', HOOK, 'node_modules/jest/bin/jest.js', tests, '--runInBand', '--bail=0'],
    {
      cwd: ROOT,
      env: { ...env, FAULT: fault, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  }
  return new Promise((resolve) => {
    child.on('close', (_code, signal) => resolve(signal ? 'Tests: failed to end' : said));
  });
}
