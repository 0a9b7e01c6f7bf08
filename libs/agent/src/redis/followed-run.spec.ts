import { EventEmitter } from 'node:events';
import type { Connection } from './connection';
import { FollowedRun } from './followed-run';
import type { RunStream } from './run-stream';
import type { Subscriptions } from './subscriptions';

describe('FollowedRun', () => {
  it('tells at once what came by message while it read the stream', async () => {
    let send: (message: string) => void = () => undefined;
    const event = { type: 'text.delta', delta: 'a' };
    const stream = {
      runId: 'run',
      names: { wake: 'wake' },
      // Redis is read before the event; its reply arrives after the message.
      read: async () => {
        send(`1 0 \n${JSON.stringify({ v: 1, ...event })}`);
        return { events: [], next: 'wait' };
      },
    } as unknown as RunStream;
    const subscriptions = {
      add: async (_channel: string, listener: typeof send) => void (send = listener),
      remove: () => undefined,
    } as unknown as Subscriptions;
    const connection = new EventEmitter() as unknown as Connection;
    const run = new FollowedRun({
      ...{ stream, subscriptions, connection },
      ...{ after: 0, waitMs: 0, onLag: undefined },
    });
    expect(await run.next()).toEqual({ done: false, value: [{ ...event, runId: 'run', seq: 1 }] });
    await run.return();
  }, 2_000);
});
