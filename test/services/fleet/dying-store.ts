import { closeSync, openSync } from 'node:fs';
import { textOf, type SessionStore } from 'nestjs-agent';
import type { RecordedEntry } from 'nestjs-agent/types';
import { tell } from './deed';
import { stopped } from './obedient.model';
import { ordersIn } from './orders';

/** An entry of a run's journal: its type, for a step with its number. */
const ENTRIES = [
  'run.taken',
  'step.finished 1',
  'call.started',
  'call.settled',
  'step.finished 3',
  'run.finished',
] as const;

/** Points at which a worker can be killed: before and after it stores an entry. */
export const JOURNAL_POINTS: readonly string[] = ENTRIES.flatMap((entry) => [
  `before ${entry}`,
  `after ${entry}`,
]);

const ORDER = /^[^(]*(?<how>die|stop) (?<point>(?:before|after) [a-z.]+(?: \d)?)/;

interface Order {
  readonly tag: string;
  readonly how: string;
  readonly point: string;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * A store that kills its process. "die before run.taken" in a session's message kills the first process,
 * by SIGKILL, that is about to store this entry there, which tells so first; "session.created" is the
 * session of an agent that this one asks. "stop before call.started" ends it by SIGTERM, and goes on
 * once its runs are stopped; one of them has to be at the model.
 */
export function dyingStore(
  inner: SessionStore,
  { revoked }: { readonly revoked: string },
): SessionStore {
  const orders = new Map<string, Order>();
  const hear = (sessionId: string, entries: readonly RecordedEntry[]): void => {
    for (const order of entries.flatMap(orderIn)) orders.set(sessionId, order);
  };
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
      hear(
        String(args[0]),
        found.map(({ entry }) => entry),
      );
      return found;
    },
    acquireNew: async (...args) => {
      const [session, , , begun] = args as Parameters<NonNullable<SessionStore['acquireNew']>>;
      const { id, parent = '' } = session;
      if (begun) hear(id, begun.entries);
      await reached(parent, 'before session.created');
      const taken = await (inner.acquireNew as Method).call(inner, ...args);
      await reached(parent, 'after session.created');
      return taken;
    },
    append: async (...args) => {
      const [sessionId, options] = args as Parameters<SessionStore['append']>;
      hear(sessionId, options.entries);
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

function orderIn(entry: RecordedEntry): readonly Order[] {
  if (entry.type !== 'message' || entry.message.role !== 'user') return [];
  const { tag, orders } = ordersIn(textOf(entry.message));
  return orders.flatMap((order) => {
    const { how, point } = ORDER.exec(order)?.groups ?? {};
    return how && point ? [{ tag, how, point }] : [];
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
