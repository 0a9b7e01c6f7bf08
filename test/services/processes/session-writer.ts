// A process that writes to a session when it is told to, one command a line; answers one line each.
import { createInterface } from 'node:readline';
import type { Lease, RecordedEntry } from 'nestjs-agent/types';
import { sqlStore } from 'nestjs-agent/sql';

const [connectionString = '', schema = '', sessionId = '', name = ''] = process.argv.slice(2);
const store = sqlStore({ connectionString, schema });

function said(text: string): RecordedEntry {
  const message = { role: 'user', content: [{ type: 'text', text }] } as const;
  return { v: 1, type: 'message', runId: name, message };
}

async function lease(): Promise<Lease> {
  for (;;) {
    const taken = await store.acquire(sessionId, 60_000);
    if (taken) return taken;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function write(held: Lease, text: string): Promise<void> {
  const expectedVersion = (await store.find(sessionId))?.version ?? 0;
  const entries = [said(text), said(text)];
  await store.append(sessionId, { lease: held, expectedVersion, entries });
}

let kept: Lease | undefined;

async function obey([command, argument]: readonly string[]): Promise<string> {
  switch (command) {
    case 'open':
      await store.open();
      return 'open';
    case 'turns':
      for (let turn = 0; turn < Number(argument); turn += 1) {
        const held = await lease();
        await write(held, `${name}-${turn}`);
        await store.release(held);
      }
      return 'turns';
    case 'acquire':
      kept = await store.acquire(sessionId, Number(argument));
      return kept ? 'acquired' : 'refused';
    case 'write':
      if (kept) await write(kept, `${name}-late`);
      return 'written';
    default:
      return 'unknown';
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  obey(line.split(' ')).then(
    (answer) => process.stdout.write(`${answer}\n`),
    (error: unknown) => process.stdout.write(`error ${codeOf(error)}\n`),
  );
});

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
