// A process that appends to a session until it is killed, and says each version that was stored.
import { sqlStore } from 'nestjs-agent/sql';
import type { SqlStoreOptions } from 'nestjs-agent/sql';

const [options = '{}', sessionId = ''] = process.argv.slice(2);
const store = sqlStore(JSON.parse(options) as SqlStoreOptions);

async function writeForever(): Promise<void> {
  const record = (await store.find(sessionId)) ?? (await store.create({ id: sessionId }));
  let lease = await store.acquire(sessionId, 200);
  while (!lease) lease = await store.acquire(sessionId, 200);
  let { version } = record;
  for (;;) {
    const entry = { type: 'groups.changed', active: [`${version}`] } as const;
    await store.renew(lease, 200);
    // Two entries, of which never one alone may be there.
    const entries = [entry, entry];
    version = await store.append(sessionId, { lease, expectedVersion: version, entries });
    process.stdout.write(`${version}\n`);
  }
}

void writeForever();
