import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Runs a program and returns what it wrote to its standard output.
 *
 * @throws Error with all its output if it fails or takes longer than `timeoutMs`
 */
export async function run(program, args, { timeoutMs = 300_000, ...options } = {}) {
  try {
    const running = execute(program, args, {
      ...options,
      timeout: timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    running.child.stdin.end();
    return (await running).stdout;
  } catch (error) {
    const { code, killed, stdout = '', stderr = '' } = error;
    const end = killed ? `took longer than ${timeoutMs} ms` : `ended with ${code}`;
    throw new Error(`${[program, ...args].join(' ')} ${end}\n${stdout}${stderr}`, { cause: error });
  }
}
