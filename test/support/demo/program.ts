import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { isStale } from '../built';
import { FLAGS, PACKED_HOOK, programVariables } from '../processes/packs';

const ROOT = join(__dirname, '../../..');
const DIST = join(ROOT, 'dist');

/** More than a build and a start take on a slow machine. */
export const BUILD_MS = 240_000;

const BUILT_DEMO = {
  folder: ROOT,
  output: 'dist/apps/demo/src/main.js',
  sources: [
    'apps/demo/src',
    'apps/tsconfig.app.json',
    'libs/agent/src',
    'nest-cli.json',
    'tsconfig.build.json',
    'tsconfig.json',
    'node_modules/.package-lock.json',
  ],
};

/** Builds the demo as `nest start` does, unless it is built from these sources; returns its entry file. */
export function buildDemo(): string {
  if (isStale(BUILT_DEMO))
    execFileSync('npx', ['nest', 'build', 'demo'], { cwd: ROOT, stdio: 'pipe' });
  return join(ROOT, BUILT_DEMO.output);
}

/** The entry file of one of the workspace's applications, to be run as it stands. */
export function entryOf(application: 'demo' | 'console'): string {
  return join(ROOT, `apps/${application}/src/main.ts`);
}

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program running in a process of its own, from sources or built. */
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
    const hook = entry.startsWith(DIST) ? [] : ['--require', PACKED_HOOK];
    const child = spawn(process.execPath, [...FLAGS, ...hook, entry, ...args], {
      cwd: ROOT,
      env: { ...programVariables(), ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new Program(child);
  }

  /** Resolves with the output, once it includes `text`. */
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
