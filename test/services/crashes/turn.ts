import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TurnOrder } from './turn.process';

const ROOT = join(__dirname, '../../..');
const HOOK = join(ROOT, 'test/support/processes/packed-modules.cjs');

export interface TurnEnd {
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a turn in a process of its own, to its end or its death. */
export function runTurn(order: TurnOrder): Promise<TurnEnd> {
  return runProcess('turn.process.ts', order);
}

/** @param file beside this one; the process reads its order from its first argument */
export async function runProcess(file: string, order: object): Promise<TurnEnd> {
  const entry = join(__dirname, file);
  const args = ['--require', HOOK, entry, JSON.stringify(order)];
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_code, ended) => resolve(ended)),
  );
  return { signal, stdout, stderr };
}
