import { Logger } from '@nestjs/common';
import { NO_USAGE } from '../../message';
import { memoryStore } from '../../session';
import { UsageRecorder } from './usage-recorder';

it('each outage of the ledger is in the log once', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const answers = [false, false, true, false];
  const addUsage = (): Promise<void> =>
    answers.shift() === true ? Promise.resolve() : Promise.reject(new Error('away'));
  const recorder = new UsageRecorder(Object.assign(memoryStore(), { addUsage }));
  const spent = { agent: 'agent', model: 'm', usage: NO_USAGE, runs: 1, toolCalls: 0 };
  const warnings: number[] = [];
  while (answers.length > 0) {
    recorder.record('alice', [spent]);
    await recorder.settled();
    warnings.push(warned.mock.calls.length);
  }
  warned.mockRestore();
  expect(warnings).toEqual([1, 1, 1, 2]);
});
