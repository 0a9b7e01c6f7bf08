import { setMaxListeners } from 'node:events';
import { CallInterruptedError } from '../call/call-errors';
import type { Execution } from '../call/execution';
import type { NextStage, Stage } from './stage.interface';

/** Answers at once when the caller cancels, whatever the stages further in are waiting for. */
export class InterruptStage implements Stage {
  async run(
    _execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    if (signal === undefined) return next();
    if (signal.aborted) throw new CallInterruptedError(false);
    let interrupt: () => void = () => undefined;
    const interrupted = new Promise<never>((_, reject) => {
      interrupt = () => reject(new CallInterruptedError());
    });
    // All running calls of a run listen to its one signal: Node need not suspect a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', interrupt);
    try {
      return await Promise.race([next(signal), interrupted]);
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }
}
