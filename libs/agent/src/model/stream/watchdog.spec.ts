import { Watchdog } from './watchdog';

describe('Watchdog', () => {
  afterEach(() => void jest.useRealTimers());

  it.each([Infinity, 2 ** 40])('does not take %d milliseconds for none', (withinMs) => {
    jest.useFakeTimers();
    const watchdog = new Watchdog('The model m', new AbortController().signal);
    watchdog.expect('said nothing', withinMs);
    jest.advanceTimersByTime(86_400_000);
    expect(watchdog.signal.aborted).toBe(false);
    watchdog.dispose();
  });
});
