// Installs the packed package into small applications of every kind and talks to the agent there.
//   npm run matrix                    all cells
//   npm run matrix -- --corners       a few that together meet every version, platform and format
//   npm run matrix -- nest12 fastify  those of Nest 12 on Fastify
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../package/paths.mjs';
import { pack } from '../package/pack.mjs';
import { run } from '../package/run.mjs';
import { compile, install } from './application.mjs';
import { chooseCells } from './cells.mjs';
import { nodePrograms } from './nodes.mjs';
import { APPLICATIONS } from './versions.mjs';

const CONVERSATION_LIMIT_MS = 120_000;
// Installing waits for the network, compiling for a CPU core.
const AT_ONCE = 2;

const cells = chooseCells(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-matrix-'));
const begun = Date.now();
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const nodes = await nodePrograms(
  cells.map(({ node }) => node),
  join(folder, 'nodes'),
);
const { path: tarball } = await pack(folder);
console.log(`Packed ${built}; ${cells.length} cells in ${folder}\n`);
// The first cell that needs a shared part prepares it: packages, then the compiled programs.
const prepared = new Map();
let failed = 0;
const queue = cells.values();
await Promise.all(Array.from({ length: AT_ONCE }, checkNext));
console.log(
  `\n${cells.length - failed} passed, ${failed} failed, ${Math.round((Date.now() - begun) / 1000)} s`,
);
process.exitCode = failed > 0 ? 1 : 0;

async function checkNext() {
  for (const cell of queue) {
    const start = Date.now();
    const failure = await converse(cell);
    const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
    console.log(`${failure ? 'FAIL' : 'ok  '} ${cell.name.padEnd(28)} ${seconds} s`);
    if (failure) {
      failed += 1;
      console.log(failure.message.replace(/^/gm, '     '));
    }
  }
}

async function converse({ application, format, main, node }) {
  try {
    const installed = join(folder, application);
    await once(installed, () => install(installed, APPLICATIONS[application], tarball));
    const programs = await once(`${installed} ${format}`, () => {
      const together = cells.filter(
        (each) => each.application === application && each.format === format,
      );
      const mains = [...new Set(together.map((each) => each.main))];
      return compile(installed, { mains, format });
    });
    await run(nodes.get(node), [join(programs, `${main}.js`)], {
      timeoutMs: CONVERSATION_LIMIT_MS,
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

function once(key, prepare) {
  if (!prepared.has(key)) prepared.set(key, prepare());
  return prepared.get(key);
}
