// By import, so that a test's fake timers do not stop it.
import { setImmediate } from 'node:timers';

/** What takes a few milliseconds. */
const STARTS_PER_TURN = 16;

/**
 * Lets a few calls begin in each turn of the event loop. A call inside the process waits for no
 * input or output, so a row of them would hold up real clients and timers until its end.
 */
export class TurnQueue {
  private readonly waiting: (() => void)[] = [];
  private begun = 0;

  /** Resolves when a call may begin; answers nothing where it may at once. */
  next(): Promise<void> | undefined {
    if (this.begun === 0) setImmediate(this.beginTurn);
    if (this.begun < STARTS_PER_TURN) {
      this.begun += 1;
      return undefined;
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private readonly beginTurn = (): void => {
    const released = this.waiting.splice(0, STARTS_PER_TURN);
    this.begun = released.length;
    if (released.length > 0) setImmediate(this.beginTurn);
    for (const release of released) release();
  };
}
