import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** More than a build and a start take on a slow machine. */
export const BUILD_MS = 240_000;

/** Builds one of the workspace's applications as `nest start` does; answers its entry file. */
export function build(application: 'demo' | 'console'): string {
  execFileSync('npx', ['nest', 'build', application], { cwd: ROOT, stdio: 'pipe' });
  return join(ROOT, `dist/apps/${application}/apps/${application}/src/main.js`);
}

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
}

/** A built program running in a process of its own. */
export class Program {
  private output = '';
  private hasEnded = false;
  private readonly changes = new EventEmitter();

  private constructor(private readonly process: ChildProcess) {
    process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.output += chunk;
      this.changes.emit('change');
    });
    process.once('close', () => {
      this.hasEnded = true;
      this.changes.emit('change');
    });
  }

  static start(
    entry: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Program {
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return new Program(child);
  }

  /** Resolves with what was printed, once that includes `text`. */
  async printed(text: string): Promise<string> {
    while (!this.output.includes(text)) {
      if (this.hasEnded) throw new Error(`It ended without printing "${text}": ${this.output}`);
      await once(this.changes, 'change');
    }
    return this.output;
  }

  write(text: string): void {
    this.process.stdin?.write(text);
  }

  endInput(): void {
    this.process.stdin?.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async ended(): Promise<ProgramResult> {
    while (!this.hasEnded) await once(this.changes, 'change');
    return { code: this.process.exitCode, stdout: this.output };
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.ended();
  }
}
