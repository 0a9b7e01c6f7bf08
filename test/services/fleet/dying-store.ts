import { closeSync, openSync } from 'node:fs';
import type { SessionStore } from 'nestjs-agent';
import type { RecordedEntry } from 'nestjs-agent/types';
import { tell } from './deed';
import { stopped } from './obedient.model';

/** An entry of a run's journal: its type, for a step with its number. */
const ENTRIES = [
  'run.taken',
  'step.finished 1',
  'call.started',
  'call.settled',
  'step.finished 3',
  'run.finished',
] as const;

/** Where a worker can be told to die: before and after it stores an entry. */
export const JOURNAL_POINTS: readonly string[] = ENTRIES.flatMap((entry) => [
  `before ${entry}`,
  `after ${entry}`,
]);

const ORDER = /([\w-]+): [^"]*(die|stop) (before|after) ([a-z.]+(?: \d)?)/;

interface Order {
  readonly tag: string;
  readonly how: string;
  readonly point: string;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * A worker's store. A message that says "die before run.taken" kills the first worker, by SIGKILL,
 * that is about to store this entry of its run, which tells so first. "stop before call.started" ends it
 * by SIGTERM, and goes on once its runs are stopped; one of them has to be at the model.
 */
export function dyingStore(
  inner: SessionStore,
  { role, revoked }: { readonly role: string; readonly revoked: string },
): SessionStore {
  if (role !== 'worker') return inner;
  const orders = new Map<string, Order>();
  const reached = async (sessionId: string, reachedPoint: string): Promise<void> => {
    const { tag, how, point } = orders.get(sessionId) ?? {};
    if (tag === undefined || point !== reachedPoint || !isFirst(`${revoked}-${sessionId}`)) return;
    if (how === 'stop') {
      process.kill(process.pid, 'SIGTERM');
      return stopped;
    }
    tell({ kind: 'dies', step: 0, tag, point });
    process.kill(process.pid, 'SIGKILL');
  };
  const methods: Partial<Record<keyof SessionStore, Method>> = {
    read: async (...args) => {
      const found = await inner.read(...(args as Parameters<SessionStore['read']>));
      const [, tag = '', how = '', when = '', entry] = ORDER.exec(JSON.stringify(found)) ?? [];
      if (entry !== undefined) orders.set(String(args[0]), { tag, how, point: `${when} ${entry}` });
      return found;
    },
    append: async (...args) => {
      const [sessionId, options] = args as Parameters<SessionStore['append']>;
      const names = options.entries.map(nameOf);
      for (const name of names) await reached(sessionId, `before ${name}`);
      const appended = await inner.append(sessionId, options);
      for (const name of names) await reached(sessionId, `after ${name}`);
      return appended;
    },
  };
  return new Proxy(inner, {
    get(target, key) {
      const value: unknown = methods[key as keyof SessionStore] ?? Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function nameOf(entry: RecordedEntry): string {
  return entry.type === 'step.finished' ? `${entry.type} ${entry.step}` : entry.type;
}

/** Each run kills one process only. */
function isFirst(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    return false;
  }
}
