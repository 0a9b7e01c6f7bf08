import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { databaseUrl } from './postgres';

const HOOK = join(__dirname, '../support/processes/packed-modules.cjs');
const SCRIPT = join(__dirname, 'processes/session-writer.ts');

/** Another process with a store of its own on the same database. */
export class SessionWriter {
  private readonly process: ChildProcess;
  private readonly waiting: ((line: string) => void)[] = [];

  constructor(schema: string, sessionId: string, name: string) {
    const args = ['--require', HOOK, SCRIPT, databaseUrl(), schema, sessionId, name];
    this.process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.process;
    if (!stdout) throw new Error('The process has no output.');
    createInterface({ input: stdout }).on('line', (line) => this.waiting.shift()?.(line));
  }

  /** Sends a command and waits for its answer. */
  tell(command: string): Promise<string> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.process.stdin?.write(`${command}\n`);
    });
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.process.kill(name);
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
  }
}
