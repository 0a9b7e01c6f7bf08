import type { ObservedQueue } from '../../telemetry';
import { Telemetry } from '../../telemetry';
import { MemoryQueue } from '../fixtures/memory-queue';
import { QueueDepth } from './queue-depth';

describe('the queue that telemetry is told of', () => {
  const queue = new MemoryQueue();
  let told: ObservedQueue | undefined;
  const telemetry = new Telemetry({ queue: (each) => (told = each) });

  it('says how many runs wait, as long as this process uses it', async () => {
    const watch = new QueueDepth(queue.connect('web'), telemetry);
    watch.onApplicationBootstrap();
    await queue.add({ v: 1, runId: 'r', sessionId: 's', attempt: 1 }, 0);
    expect(await told?.depth()).toBe(1);
    queue.isAway = true;
    expect(await told?.depth()).toBeUndefined();
    expect(told?.closing.aborted).toBe(false);
    watch.onModuleDestroy();
    expect(told?.closing.aborted).toBe(true);
  });

  it('is not there without one', () => {
    told = undefined;
    new QueueDepth(null, telemetry).onApplicationBootstrap();
    expect(told).toBeUndefined();
  });
});
