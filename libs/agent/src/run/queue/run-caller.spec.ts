import { RunCaller } from './run-caller';

it('a worker does not wait for ever for a credential, nor for the guards that check it', async () => {
  jest.useFakeTimers();
  const never = (): Promise<never> => new Promise(() => undefined);
  const caller = RunCaller.from(never, new AbortController().signal);
  const said = expect(caller).rejects.toThrow('did not answer in time.');
  await jest.advanceTimersByTimeAsync(60_000);
  await said;
  jest.useRealTimers();
});
