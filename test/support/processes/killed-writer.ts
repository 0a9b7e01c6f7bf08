import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SqlStoreOptions } from 'nestjs-agent/sql';
import { packedModules, PACKED_HOOK } from './packs';

const SCRIPT = join(__dirname, 'journal-writer.ts');

/**
 * Has a process append to a session and kills it (SIGKILL) after so many writes. Answers the last
 * version that the process was told to be stored.
 */
export async function killAfterWrites(
  options: SqlStoreOptions,
  sessionId: string,
  writes: number,
): Promise<number> {
  const args = ['--require', PACKED_HOOK, SCRIPT, JSON.stringify(options), sessionId];
  const writer = spawn(process.execPath, args, {
    env: { ...process.env, PACKED_MODULES: packedModules() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(writer, 'exit');
  let told = 0;
  let count = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    told = Number(line);
    count += 1;
    if (count === writes) writer.kill('SIGKILL');
  }
  await gone;
  if (count < writes) throw new Error(`The writer ended after ${count} writes.`);
  return told;
}
