import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

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

  private constructor(private readonly process: ChildProcess) {
    process.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
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
      if (this.process.exitCode !== null) throw new Error(`It ended early: ${this.output}`);
      await Promise.race([
        once(this.process.stdout ?? this.process, 'data'),
        once(this.process, 'exit'),
      ]);
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
    if (this.process.exitCode === null && this.process.signalCode === null) {
      await once(this.process, 'close');
    }
    return { code: this.process.exitCode, stdout: this.output };
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.ended();
  }
}
