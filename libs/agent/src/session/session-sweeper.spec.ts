import { Logger } from '@nestjs/common';
import { SessionSweeper } from './session-sweeper';

describe('SessionSweeper', () => {
  let log: jest.SpyInstance;
  let warn: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('sweeps every interval, and logs what it removed', async () => {
    const removeExpired = jest.fn(async () => ['a', 'b']);
    const sweeper = new SessionSweeper({ sweepEveryMs: 1_000, removeExpired });
    sweeper.start();
    sweeper.start();
    expect(removeExpired).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(removeExpired).toHaveBeenCalledTimes(3);
    expect(log).toHaveBeenCalledWith('Removed 2 expired sessions');
    await sweeper.stop();
  });

  it('never sweeps beside itself', async () => {
    let finish = (_ids: readonly string[]): void => undefined;
    const removeExpired = jest.fn(
      () => new Promise<readonly string[]>((resolve) => (finish = resolve)),
    );
    const sweeper = new SessionSweeper({ sweepEveryMs: 1_000, removeExpired });
    sweeper.start();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(removeExpired).toHaveBeenCalledTimes(1);
    finish([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(removeExpired).toHaveBeenCalledTimes(2);
    finish([]);
    await sweeper.stop();
    expect(log).not.toHaveBeenCalled();
  });

  it('leaves no timer when it stops, and waits for the sweep under way', async () => {
    let finish = (_ids: readonly string[]): void => undefined;
    const removeExpired = () => new Promise<readonly string[]>((resolve) => (finish = resolve));
    const sweeper = new SessionSweeper({ sweepEveryMs: 1_000, removeExpired });
    sweeper.start();
    await jest.advanceTimersByTimeAsync(1_000);
    const stopped = jest.fn();
    const stopping = sweeper.stop().then(stopped);
    await jest.advanceTimersByTimeAsync(0);
    expect(stopped).not.toHaveBeenCalled();
    finish([]);
    await stopping;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tries again after a sweep that failed', async () => {
    const removeExpired = jest
      .fn<Promise<readonly string[]>, []>()
      .mockRejectedValueOnce(new Error('The session database cannot be reached.'))
      .mockResolvedValue(['a']);
    const sweeper = new SessionSweeper({ sweepEveryMs: 1_000, removeExpired });
    sweeper.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('cannot be reached'));
    expect(log).toHaveBeenCalledWith('Removed 1 expired session');
    await sweeper.stop();
  });

  it('does nothing where it was stopped before it began', async () => {
    const sweeper = new SessionSweeper({ sweepEveryMs: 1_000, removeExpired: async () => [] });
    await sweeper.stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});
