// A process that appends to a session until it is killed, and says each version that was stored.
import { LeaseLostError } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import type { SqlStoreOptions } from 'nestjs-agent/sql';

/** Short, for the next process has to wait until that of the killed one has ended. */
const LEASE_MS = 200;

const [options = '{}', sessionId = ''] = process.argv.slice(2);
const store = sqlStore(JSON.parse(options) as SqlStoreOptions);

async function writeForever(): Promise<void> {
  if ((await store.find(sessionId)) === undefined) await store.create({ id: sessionId });
  for (;;) {
    const version = await write();
    if (version !== undefined) process.stdout.write(`${version}\n`);
  }
}

/** `undefined` where another process has the session, or this one was too slow. */
async function write(): Promise<number | undefined> {
  const lease = await store.acquire(sessionId, LEASE_MS);
  if (lease === undefined) return undefined;
  const expectedVersion = lease.record.version;
  const entry = { v: 1, type: 'groups.changed', active: [`${expectedVersion}`] } as const;
  try {
    // Two entries, of which never one alone may be there.
    const { version } = await store.append(sessionId, {
      lease,
      expectedVersion,
      entries: [entry, entry],
    });
    await store.release(lease);
    return version;
  } catch (error) {
    if (error instanceof LeaseLostError) return undefined;
    throw error;
  }
}

void writeForever();
