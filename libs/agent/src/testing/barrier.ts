/**
 * A place where a scripted model stops until the test lets it go on, so that a test can act in the
 * middle of a stream without waiting for time to pass.
 *
 * @example
 * const barrier = new Barrier();
 * const model = new ScriptedModel([[{ type: 'text.delta', delta: 'Hel' }, barrier, …]]);
 * // … start the run …
 * await barrier.reached;
 * controller.abort();
 */
export class Barrier {
  /** Resolves when somebody waits here. */
  readonly reached: Promise<void>;
  private readonly opened: Promise<void>;
  private announce: () => void = () => undefined;
  private release: () => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => (this.announce = resolve));
    this.opened = new Promise((resolve) => (this.release = resolve));
  }

  /** Lets everybody who waits here, or will, go on. */
  open(): void {
    this.release();
  }

  /** Waits until the barrier is open. */
  pass(): Promise<void> {
    this.announce();
    return this.opened;
  }
}
