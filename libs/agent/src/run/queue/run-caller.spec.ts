import { Logger } from '@nestjs/common';
import { RunCaller } from './run-caller';

const never = (): Promise<never> => new Promise(() => undefined);

describe('a worker does not wait for ever for a credential, nor for the guards that check it', () => {
  const { signal } = new AbortController();
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('before it begins', async () => {
    const said = expect(RunCaller.from(never, signal)).rejects.toThrow('did not answer in time.');
    await jest.advanceTimersByTimeAsync(30_000);
    await said;
  });

  it('in the middle of a run, which then leaves', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const first = { request: {}, expiresAt: Date.now(), within: <T>(work: () => T) => work() };
    const become = jest.fn(never).mockReturnValueOnce(Promise.resolve(first) as Promise<never>);
    const caller = await RunCaller.from(become, signal);
    const renewed = caller.renew(signal);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await renewed).toBe(false);
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('did not answer in time.'));
  });
});
