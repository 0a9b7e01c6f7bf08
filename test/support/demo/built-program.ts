import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** More than a build and a start take on a slow machine. */
export const BUILD_MS = 240_000;

/** Builds one of the workspace's applications as `nest start` does; answers its entry file. */
export function build(application: 'demo' | 'console'): string {
  execFileSync('npx', ['nest', 'build', application], { cwd: ROOT, stdio: 'pipe' });
  return entryIn(`dist/apps/${application}`, application);
}

/**
 * As `build`, into a folder of its own: two suites that build side by side would otherwise pull
 * the files from under each other's programs.
 */
export function buildApart(application: 'demo' | 'console', name: string): string {
  const outDir = `dist/tests/${name}`;
  const config = `${outDir}/tsconfig.json`;
  mkdirSync(join(ROOT, outDir), { recursive: true });
  const settings = {
    extends: join(ROOT, `apps/${application}/tsconfig.app.json`),
    compilerOptions: { outDir: join(ROOT, outDir) },
  };
  writeFileSync(join(ROOT, config), JSON.stringify(settings));
  const args = ['nest', 'build', application, '--path', config];
  execFileSync('npx', args, { cwd: ROOT, stdio: 'pipe' });
  return entryIn(outDir, application);
}

function entryIn(outDir: string, application: string): string {
  return join(ROOT, outDir, `apps/${application}/src/main.js`);
}

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A built program running in a process of its own. */
export class Program {
  private output = '';
  private errors = '';
  private hasEnded = false;
  private readonly changes = new EventEmitter();

  private constructor(private readonly process: ChildProcess) {
    process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.output += chunk;
      this.changes.emit('change');
    });
    process.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.errors += chunk));
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
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new Program(child);
  }

  /** Resolves with what was printed, once that includes `text`. */
  async printed(text: string): Promise<string> {
    while (!this.output.includes(text)) {
      if (this.hasEnded) {
        throw new Error(`It ended without printing "${text}": ${this.output}${this.errors}`);
      }
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
    const { exitCode: code, signalCode: signal } = this.process;
    return { code, signal, stdout: this.output, stderr: this.errors };
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.ended();
  }
}
