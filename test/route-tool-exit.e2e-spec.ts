import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packedModules, PACKED_HOOK } from './support/processes/packs';

const PROGRAM = join(__dirname, 'route-tools/short-program.ts');
/** More than a start takes on a slow machine; whatever hangs is killed. */
const PROCESS_MS = 60_000;

it.each(['express', 'fastify', 'remote'])(
  'a process whose application made route calls (%s) ends by itself once it is closed',
  async (kind) => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--require', PACKED_HOOK, PROGRAM, kind], {
      env: { ...process.env, PACKED_MODULES: packedModules() },
      timeout: PROCESS_MS,
    });
    expect(JSON.parse(stdout)).toEqual({
      finished: ['read executed', 'write executed', 'slow timeout', 'hang http_error'],
      left: [],
    });
  },
  PROCESS_MS + 5_000,
);
