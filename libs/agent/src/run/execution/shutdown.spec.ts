import { Logger } from '@nestjs/common';
import { AbortableStore, memoryStore } from '../../session';
import { memoryRuns } from '../../testing';
import type { RunOptions } from '../request';
import { ActiveRuns } from './active-runs';
import { Shutdown } from './shutdown';

const WITHIN_MS = 5_000;
const never = (): Promise<never> => new Promise(() => undefined);

it('has one deadline for a store and a queue that answer nothing', async () => {
  jest.useFakeTimers();
  jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const sessions = new AbortableStore(Object.assign(memoryStore(), { find: never }));
  const active = new ActiveRuns();
  const released = sessions.store.find('s').then(
    () => undefined,
    () => undefined,
  );
  const run = { runId: 'r', sessionId: 's', agent: undefined, isHidden: false, released };
  active.prepare({ ...run, stop: () => undefined });
  const close = jest.fn(never);
  const queue = Object.assign(memoryRuns(), { drain: never, close });
  const options = { drainMs: 0 } as RunOptions;
  const closed = jest.fn();

  void new Shutdown(options, WITHIN_MS, active, sessions, queue).onModuleDestroy().then(closed);
  await jest.advanceTimersByTimeAsync(WITHIN_MS - 1);
  expect(closed).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(closed).toHaveBeenCalled();
  // Its connections would keep the process alive.
  expect(close).toHaveBeenCalled();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('closes a queue that could not be drained', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const close = jest.fn(() => Promise.resolve());
  const drain = (): Promise<never> => Promise.reject(new Error('The queue is away.'));
  const queue = Object.assign(memoryRuns(), { drain, close });
  const options = { drainMs: 0 } as RunOptions;
  const sessions = new AbortableStore(memoryStore());
  const shutdown = new Shutdown(options, WITHIN_MS, new ActiveRuns(), sessions, queue);

  await shutdown.onModuleDestroy();
  shutdown.onApplicationShutdown();
  expect(close).toHaveBeenCalled();
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('The queue is away.'));
  jest.restoreAllMocks();
});
