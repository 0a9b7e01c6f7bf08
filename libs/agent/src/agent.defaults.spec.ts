import { runOptions } from './agent.defaults';

describe('the defaults', () => {
  it('of runs in the queue, and of a process that closes', () => {
    expect(runOptions({})).toMatchObject({
      queued: 10_000,
      queueTimeoutMs: 60_000,
      drainMs: 0,
    });
    const limits = { queued: 1, queueTimeoutMs: 2 };
    expect(runOptions({ limits, shutdown: { drainMs: 3 } })).toMatchObject({
      ...limits,
      drainMs: 3,
    });
  });
});
