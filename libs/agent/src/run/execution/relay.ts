import type { Logger } from '@nestjs/common';
import { thrownText } from '../../internal';
import type { RunBus } from '../bus';
import { type RunContext, stopRun } from '../context';
import type { RunChannel } from '../record';

/**
 * Sends the run's events to the bus. Errors of the bus do not affect the run; readers elsewhere
 * fall back to the store.
 */
export function relay(run: RunContext, bus: RunBus, logger: Logger): void {
  const { runId, emitter, deliveries, journal } = run;
  let channel: RunChannel | undefined;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      logger.warn(`Run ${runId} is not on the bus: ${thrownText(error)}`);
      const broken = channel;
      channel = undefined;
      // Its readers continue with the store.
      if (broken) attempt(() => broken.close());
    }
  };
  attempt(() => {
    channel = bus.open({
      runId,
      lastSeq: emitter.feed.offset,
      leaseToken: journal.leaseToken ?? 0,
      onSignal: (signal) => {
        if (signal.type === 'delivered') void deliveries.look(signal.callId);
        else void stopIf(run);
      },
    });
  });
  if (channel === undefined) return;
  emitter.relayTo({
    get mergeMs() {
      return channel?.mergeMs;
    },
    publish: (events) => attempt(() => channel?.publish(events)),
    close: () => attempt(() => channel?.close()),
  });
}

/** A signal has no authority. If the store is unavailable, the next renewal decides. */
async function stopIf(run: RunContext): Promise<void> {
  if (await run.journal.isToStop?.().catch(() => false)) stopRun(run, 'cancelled');
}
