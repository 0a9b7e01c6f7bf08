import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program to its end; answers its standard output. @throws Error with all its output */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await execute(program, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed\n${stdout}${stderr}`, { cause: error });
  }
}
