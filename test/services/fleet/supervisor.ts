import type { Machine } from './machine';

/** Replaces each process that ends, as an orchestrator does. */
export class Supervisor {
  private readonly current = new Set<Machine>();
  private readonly lanes: Promise<void>[] = [];
  private isWanted = true;

  /** @param boot starts a process; receives the process that it replaces */
  constructor(private readonly boot: (before?: Machine) => Promise<Machine>) {}

  /** Keeps one more process. */
  keep(first?: Machine): void {
    this.lanes.push(this.lane(first));
  }

  /** Kills them all, also those on their way. */
  async close(): Promise<void> {
    this.isWanted = false;
    for (const machine of this.current) machine.signal('SIGKILL');
    await Promise.all(this.lanes);
  }

  private async lane(machine?: Machine): Promise<void> {
    while (this.isWanted) {
      machine = machine?.isAlive === true ? machine : await this.boot(machine);
      this.current.add(machine);
      if (!this.isWanted) await machine.end('SIGKILL');
      await machine.ended();
      this.current.delete(machine);
    }
  }
}
