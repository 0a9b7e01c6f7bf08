// A worker in its own process. It prints each delivered run and never finishes it.
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
