import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BullmqRunsOptions } from 'nestjs-agent/bullmq';

const HOOK = join(__dirname, '../../support/processes/packed-modules.cjs');
const SCRIPT = join(__dirname, 'worker.ts');

/** A worker in its own process, which never finishes a run. */
export class WorkerProcess {
  private readonly process: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(options: BullmqRunsOptions, lockMs: number, order = '') {
    const args = ['--require', HOOK, SCRIPT, JSON.stringify(options), String(lockMs), order];
    this.process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const { stdout } = this.process;
    if (!stdout) throw new Error('The process has no output.');
    this.lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** The next line that is no log line. */
  async line(): Promise<string> {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error('The process has ended.');
      if (!String(value).includes('[Nest]')) return String(value);
    }
  }

  input(): void {
    this.process.stdin?.write('\n');
  }

  /** Resolves when the process has ended by itself. */
  async ended(): Promise<number | null> {
    if (this.process.exitCode === null) await once(this.process, 'exit');
    return this.process.exitCode;
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
  }
}
