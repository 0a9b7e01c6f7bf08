import { Attendance, onceUnattended } from './attendance';

const GRACE_MS = 10_000;

describe('onceUnattended()', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function watched() {
    const attendance = new Attendance();
    const callback = jest.fn();
    const stop = onceUnattended(GRACE_MS, () => Promise.resolve(attendance.isAttended), callback);
    return { attendance, callback, stop };
  }

  it('calls back when its time has passed and nobody reads', async () => {
    const { callback } = watched();
    await jest.advanceTimersByTimeAsync(GRACE_MS - 1);
    expect(callback).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits for the last of several readers, and then once more', async () => {
    const { attendance, callback } = watched();
    const [leave, leaveToo] = [attendance.enter(), attendance.enter()];
    await jest.advanceTimersByTimeAsync(5 * GRACE_MS);
    leave();
    leave();
    await jest.advanceTimersByTimeAsync(GRACE_MS);
    expect(callback).not.toHaveBeenCalled();
    leaveToo();
    await jest.advanceTimersByTimeAsync(GRACE_MS);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('is over when the run is', async () => {
    const { callback, stop } = watched();
    stop();
    await jest.advanceTimersByTimeAsync(5 * GRACE_MS);
    expect(callback).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });
});
