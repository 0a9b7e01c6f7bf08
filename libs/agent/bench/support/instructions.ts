// Counts the instructions that a process executes outside the kernel. Unlike CPU time they do not
// depend on other load. Needs valgrind.
import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const VALGRIND = ['--tool=callgrind', '--callgrind-out-file=/dev/null', '--instr-atstart=no'];
// One thread, no chance, and collections at equal distances.
const V8 = [
  ...['--single-threaded', '--predictable', '--random-seed=1', '--hash-seed=1'],
  ...['--min-semi-space-size=4', '--max-semi-space-size=4'],
];
// Optimised code after fewer calls, since the process is much slower.
const SOONER =
  Number(process.versions.node.split('.')[0]) < 22
    ? ['--interrupt-budget=3000']
    : ['--invocation-count-for-maglev=20', '--invocation-count-for-turbofan=100'];
const HOOK = join(__dirname, '../../../../test/support/typescript-hook.cjs');

/** A process whose instructions are counted. */
export class CountedProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Its first message. */
    readonly first: unknown,
  ) {}

  /** Whether instructions can be counted here. */
  static get isPossible(): boolean {
    return spawnSync('valgrind', ['--version']).status === 0;
  }

  static async start(file: string, args: readonly string[]): Promise<CountedProcess> {
    // The compiler of V8 writes code at any time: all of it is checked for changes.
    const valgrind = [...VALGRIND, '--smc-check=all-non-file', process.execPath];
    const child = fork(file, args, {
      execPath: 'valgrind',
      execArgv: [...valgrind, ...V8, ...SOONER, '--require', HOOK],
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    const [first] = (await once(child, 'message')) as [unknown];
    return new CountedProcess(child, first);
  }

  /** Sends a message and waits for the answer. */
  async ask(message: string): Promise<void> {
    this.child.send(message);
    await once(this.child, 'message');
  }

  /** Begins to count. The process is much faster before. */
  begin(): void {
    this.command('instrumentation', 'on');
  }

  /** The instructions since the beginning. */
  count(): number {
    const told = this.command('status', 'internal');
    // One line for each thread.
    const counts = told.matchAll(/^events-\d+: (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  private command(...words: readonly string[]): string {
    const vgdb = [`--pid=${this.child.pid}`, ...words];
    return execFileSync('vgdb', vgdb, { stdio: 'pipe' }).toString();
  }

  close(): void {
    this.child.disconnect();
  }
}
