import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transformSync, type Options } from '@swc/core';
import type { TurnOrder } from './turn.process';

const ROOT = join(__dirname, '../../..');
/** Below the workspace, so that packages are found, and of this run alone. */
const OUT = join(ROOT, `node_modules/.cache/agent-crashes-${process.pid}`);
const SOURCES = ['libs/agent/src', 'test/services/crashes'];

/** Compiles the library and the turn once, so that hundreds of processes start quickly. */
export function compileTurn(): void {
  for (const source of SOURCES) {
    for (const file of readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.ts') && !file.endsWith('spec.ts')) compile(join(source, file));
    }
  }
}

export function removeCompiledTurn(): void {
  rmSync(OUT, { recursive: true, force: true });
}

function compile(file: string): void {
  const options: Options = {
    filename: file,
    swcrc: false,
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  };
  const { code } = transformSync(readFileSync(join(ROOT, file), 'utf8'), options);
  const target = join(OUT, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, withRelativeImports(code, dirname(target)));
}

/** The library by its place instead of its name. */
function withRelativeImports(code: string, from: string): string {
  const library = relative(from, join(OUT, 'libs/agent/src'));
  return code.replaceAll(
    /require\("nestjs-agent(\/[a-z]+)?"\)/g,
    (_match, subpath: string | undefined) => `require("${library}${subpath ?? ''}")`,
  );
}

export interface TurnEnd {
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a turn in a process of its own, to its end or its death. */
export async function runTurn(order: TurnOrder): Promise<TurnEnd> {
  const entry = join(OUT, 'test/services/crashes/turn.process.js');
  const child: ChildProcess = spawn(process.execPath, [entry, JSON.stringify(order)], {
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
