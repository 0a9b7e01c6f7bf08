// The cost of a session store, at the beginning of a journal and far into it.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore, sessionStateOf, textMessage } from 'nestjs-agent';
import type { SessionStore } from 'nestjs-agent';
import type { RecordedEntry } from 'nestjs-agent/types';
import { sqlStore } from 'nestjs-agent/sql';
import { median } from '../support/by-turns';

const SAMPLES = 200;
const LONG = 10_000;

const entry: RecordedEntry = {
  v: 1,
  type: 'message',
  runId: 'run',
  message: textMessage('user', 'What applications do I have, and which of them failed? '.repeat(4)),
};

function microseconds(since: bigint): number {
  return Number(process.hrtime.bigint() - since) / 1_000;
}

async function sample(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    const start = process.hrtime.bigint();
    await work();
    times.push(microseconds(start));
  }
  return median(times);
}

async function measure(name: string, store: SessionStore): Promise<void> {
  await store.open?.();
  const id = randomUUID();
  await store.create({ id });
  const lease = await store.acquire(id, 3_600_000);
  if (!lease) throw new Error('The new session is leased.');
  let version = 0;
  const append = async (entries: readonly RecordedEntry[]): Promise<void> => {
    ({ version } = await store.append(id, { lease, expectedVersion: version, entries }));
  };
  const fill = async (length: number): Promise<void> => {
    while (version < length) await append(Array.from({ length: 10 }, () => entry));
  };
  await fill(SAMPLES);
  await sample(() => append([entry]));
  const rows: Record<string, string> = {};
  for (const length of [10, LONG]) {
    await fill(length);
    const label = `append at ${length === 10 ? version : length}`;
    rows[label] = `${(await sample(() => append([entry]))).toFixed(0)} µs`;
  }
  rows['find'] = `${(await sample(() => store.find(id))).toFixed(0)} µs`;
  rows['read the last 50'] = `${(await sample(() => store.read(id, version - 49))).toFixed(0)} µs`;
  rows['renew'] = `${(await sample(() => store.renew(lease, 3_600_000))).toFixed(0)} µs`;
  process.stdout.write(`${name}\n`);
  for (const [what, time] of Object.entries(rows)) {
    process.stdout.write(`  ${what.padEnd(22)} ${time.padStart(10)}\n`);
  }
  await store.delete(id);
  await store.close?.();
}

function measureFold(): void {
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ position: index + 1, entry }));
  sessionStateOf(entries);
  const start = process.hrtime.bigint();
  sessionStateOf(entries);
  process.stdout.write(
    `fold of 1 000 entries    ${microseconds(start).toFixed(0).padStart(8)} µs\n`,
  );
}

async function main(): Promise<void> {
  measureFold();
  await measure('memoryStore()', memoryStore());
  const dataDir = await mkdtemp(join(tmpdir(), 'nestjs-agent-bench-'));
  await measure('sqlStore({ dataDir })', sqlStore({ dataDir }));
  await rm(dataDir, { recursive: true });
  const connectionString = process.env['DATABASE_URL'];
  if (connectionString === undefined) {
    process.stdout.write('sqlStore({ connectionString }): set DATABASE_URL to measure it\n');
    return;
  }
  await measure('sqlStore({ connectionString })', sqlStore({ connectionString }));
}

void main();
