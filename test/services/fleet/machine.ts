import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Settings } from './settings';

/** A release other than the one in this folder. */
export type Release = 'this' | 'next';

const HOOKS: Readonly<Record<Release, string>> = {
  this: join(__dirname, '../../support/processes/packed-modules.cjs'),
  next: join(__dirname, 'next-release.cjs'),
};
const SCRIPT = join(__dirname, 'application.ts');

/** One process of the application. */
export class Machine {
  /** Resolves once it serves requests; rejects if it does not start. */
  readonly up: Promise<void>;
  /** Its address, once it is up. */
  url = '';
  readonly role: Settings['role'];
  private readonly process: ChildProcess;

  /** @param onLine receives each line of the process's output and log */
  constructor(
    settings: Settings,
    release: Release,
    onLine: (line: string, machine: Machine) => void,
  ) {
    this.role = settings.role;
    const args = ['--require', HOOKS[release], SCRIPT, JSON.stringify(settings)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.process = child;
    const errors: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      errors.push(line);
      onLine(line, this);
    });
    this.up = new Promise((resolve, reject) => {
      child.once('close', () => reject(new Error(`It did not start.\n${errors.join('\n')}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (!line.startsWith('http:')) return onLine(line, this);
        this.url = line;
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Resolves when the process has ended, by itself or by a signal, with that signal. */
  async ended(): Promise<NodeJS.Signals | null> {
    if (this.isAlive) await once(this.process, 'exit');
    return this.process.signalCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isAlive) return;
    const ended = this.ended();
    this.process.kill(signal);
    // A stopped process takes no other signal.
    if (signal === 'SIGKILL') this.process.kill('SIGCONT');
    await ended;
  }

  /** Resumes everything that waits in it. */
  async go(): Promise<void> {
    await fetch(`${this.url}/control/go`, { method: 'POST' });
  }
}
