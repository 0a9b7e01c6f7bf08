import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet } from './fleet';
import { LEVEL_3 } from './topology';

const CACHE = join(__dirname, '../../../node_modules/.cache/packed-modules');

/**
 * Has all processes that the tests start from now on load their modules as one that has done some work left
 * them: test/support/processes/packed-modules.cjs.
 */
export async function packModules(): Promise<void> {
  // V8 takes no code of another version, or made with other flags.
  const maker = `${process.version} ${process.env['NODE_OPTIONS']}`;
  const folder = join(CACHE, createHash('sha1').update(maker).digest('hex'));
  process.env['PACKED_MODULES'] = folder;
  if (isFresh(folder)) return;
  rmSync(folder, { recursive: true, force: true });
  // The loader sets a flag for processes of Jest's workers.
  process.env['JEST_WORKER_ID'] = '0';
  // The first process leaves the modules, the second one their code.
  await work();
  await work();
  delete process.env['JEST_WORKER_ID'];
}

function isFresh(folder: string): boolean {
  const times = join(folder, 'times.json');
  if (!existsSync(times) || !existsSync(join(folder, 'utf8.js.code'))) return false;
  const files = JSON.parse(readFileSync(times, 'utf8')) as readonly (readonly [string, number])[];
  return files.every(([path, time]) => statSync(path, { throwIfNoEntry: false })?.mtimeMs === time);
}

async function work(): Promise<void> {
  const fleet = await Fleet.start({ ...LEVEL_3, webs: 1, workers: 0 }, { role: 'both' });
  const run = await fleet.run('ann', 'any: say 2, look; unlock; put; write; say 2');
  await run.toItsEnd();
  await fleet.webs[0]?.end('SIGTERM');
  await fleet.close();
}
