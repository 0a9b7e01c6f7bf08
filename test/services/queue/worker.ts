// A worker in a process of its own. It prints each run that it gets, and never ends its work.
import { bullmqRuns, type BullmqRunsOptions } from 'nestjs-agent/bullmq';

async function main(): Promise<void> {
  const [options = '', lockMs = '', order = ''] = process.argv.slice(2);
  const runs = bullmqRuns(JSON.parse(options) as BullmqRunsOptions);
  await runs.open();
  runs.start({
    lockMs: Number(lockMs),
    work: ({ runId }) => {
      process.stdout.write(`${runId}\n`);
      return new Promise(() => undefined);
    },
  });
  if (order === 'close on input') {
    process.stdin.once('data', () => {
      process.stdin.destroy();
      void runs.close().then(() => process.stdout.write('closed\n'));
    });
  }
}

void main();
