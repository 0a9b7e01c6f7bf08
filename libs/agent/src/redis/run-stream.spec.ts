import type { Connection } from './connection';
import { RunStream } from './run-stream';

it('asks Redis for events above all numbers by one that it knows', async () => {
  const asked: string[] = [];
  const run = (_script: unknown, _keys: unknown, args: readonly string[]) => {
    asked.push(args[0] ?? '');
    return Promise.resolve(['3', '0', []]);
  };
  const stream = new RunStream({ run } as unknown as Connection, 'agent', 'run');
  expect(await stream.read(Infinity)).toEqual({ events: [], next: 'wait' });
  expect(asked).toEqual([String(Number.MAX_SAFE_INTEGER)]);
});
