import { keepLease } from './lease-keeper';

const LEASE_MS = 9_000;

/** Keeps a lease whose renewals get these answers in turn; the last answer repeats. */
function keeping(...answers: readonly (() => Promise<boolean>)[]) {
  let asked = 0;
  const renew = jest.fn(() => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return answer ? answer() : Promise.resolve(true);
  });
  const onLost = jest.fn();
  const stop = keepLease(renew, performance.now(), LEASE_MS, onLost);
  return { renew, onLost, stop };
}

const granted = () => Promise.resolve(true);
const refused = () => Promise.resolve(false);
const failing = () => Promise.reject(new Error('away'));
const hanging = () => new Promise<boolean>(() => undefined);
const grantedAfter = (ms: number) => () =>
  new Promise<boolean>((resolve) => setTimeout(() => resolve(true), ms));

describe('keepLease()', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('renews three times within the lease’s life, until it is stopped', async () => {
    const { renew, onLost, stop } = keeping(granted);
    await jest.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(renew).toHaveBeenCalledTimes(30);
    stop();
    await jest.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(renew).toHaveBeenCalledTimes(30);
    expect(onLost).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['fail', failing],
    ['hang', hanging],
  ])('is lost before it ends where its renewals %s', async (_, answer) => {
    const { onLost } = keeping(answer);
    await jest.advanceTimersByTimeAsync(LEASE_MS * 0.89);
    expect(onLost).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(LEASE_MS * 0.02);
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('counts from the last renewal that succeeded, not from failures', async () => {
    const { renew, onLost } = keeping(granted, failing);
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3 + LEASE_MS * 0.89);
    expect(renew).toHaveBeenCalledTimes(3);
    expect(onLost).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(LEASE_MS * 0.02);
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  it('counts from when a slow renewal was asked for', async () => {
    const slow = LEASE_MS / 4;
    const { onLost } = keeping(grantedAfter(slow), failing);
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3 + LEASE_MS * 0.91);
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  it('asks again while a renewal hangs', async () => {
    const { onLost } = keeping(hanging, granted);
    await jest.advanceTimersByTimeAsync(5 * LEASE_MS);
    expect(onLost).not.toHaveBeenCalled();
  });

  it('is lost as soon as the store says so', async () => {
    const { renew, onLost } = keeping(refused);
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(onLost).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('stays lost when a renewal succeeds too late', async () => {
    const { onLost } = keeping(grantedAfter(LEASE_MS));
    await jest.advanceTimersByTimeAsync(5 * LEASE_MS);
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
