/**
 * A point where a scripted model stops until the test opens the barrier, so that a test can act in
 * the middle of a stream without timers.
 *
 * @example
 * import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
 *
 * const barrier = new Barrier();
 * export const model = new ScriptedModel([[{ type: 'text.delta', delta: 'Hel' }, barrier]]);
 *
 * async function cancelMidway(agent: AgentService): Promise<ChatResult> {
 *   const run = await agent.start({ message: 'Say hello' });
 *   await barrier.reached;
 *   run.cancel();
 *   return run.finished;
 * }
 */
export class Barrier {
  /** Resolves at the first wait. */
  readonly reached: Promise<void>;
  private readonly opened: Promise<void>;
  private announce: () => void = () => undefined;
  private release: () => void = () => undefined;

  /** A closed barrier. */
  constructor() {
    this.reached = new Promise((resolve) => (this.announce = resolve));
    this.opened = new Promise((resolve) => (this.release = resolve));
  }

  /** Ends all current and later waits. */
  open(): void {
    this.release();
  }

  /** Waits until the barrier is open. */
  pass(): Promise<void> {
    this.announce();
    return this.opened;
  }
}
