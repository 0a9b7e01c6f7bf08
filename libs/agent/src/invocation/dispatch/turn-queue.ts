// Imported, so that fake timers do not stop it.
import { setImmediate } from 'node:timers';

/** Calls per turn; they take a few milliseconds. */
const STARTS_PER_TURN = 16;

/**
 * Starts a few calls per turn of the event loop. In-process calls may finish without I/O, so many
 * in a row would block other clients and timers.
 */
export class TurnQueue {
  private readonly waiting: (() => void)[] = [];
  private begun = 0;

  /** Resolves when a call may start; returns nothing if it may start at once. */
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
