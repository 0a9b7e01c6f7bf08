import { Logger } from '@nestjs/common';
import { runOptions } from '../../agent.defaults';
import { MemoryQueue } from '../fixtures/memory-queue';
import { RunJobs } from './run-jobs';

const JOB = { runId: 'run_1', sessionId: 'ses_1', attempt: 1 };

it('an outage of the queue is logged once for what it refuses, however many requests come', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const queue = new MemoryQueue();
  const jobs = new RunJobs(queue.connect('web'), runOptions({}));
  const requests = async (): Promise<void> => {
    for (let count = 0; count < 5; count += 1) {
      await jobs.admit();
      await jobs.add(JOB, 0);
    }
  };
  queue.isAway = true;
  await requests();
  const told = [
    'The queue could not be asked: The queue is out of reach.',
    'The queue could not be given a job: The queue is out of reach.',
  ];
  expect(warned.mock.calls.flat()).toEqual(told);
  queue.isAway = false;
  await requests();
  queue.isAway = true;
  await requests();
  expect(warned.mock.calls.flat()).toEqual([...told, ...told]);
  warned.mockRestore();
});
