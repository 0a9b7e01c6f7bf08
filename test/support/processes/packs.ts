import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '../built';

const ROOT = join(__dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/packed-programs');
const LOADED = join(__dirname, 'loaded-modules.ts');

/** What is in a pack, and what compiles it. */
const SOURCES = [
  'libs/agent/src',
  'apps/demo/src',
  'apps/console/src',
  'test/support',
  'jest.config.js',
  'node_modules/.package-lock.json',
];

/** Has a process load its modules from the folder that the variable PACKED_MODULES names. */
export const PACKED_HOOK = join(__dirname, 'packed-modules.cjs');

/** As in Jest's workers: in seconds, optimizing the code of an embedded PostgreSQL saves nothing. */
export const FLAGS = ['--liftoff-only'];

/** The variables that programs with these flags need. */
export function programVariables(): Readonly<Record<string, string | undefined>> {
  const { PATH, NODE_OPTIONS } = process.env;
  return { PATH, NODE_OPTIONS, PACKED_MODULES: packedModules() };
}

/**
 * The folder with the modules of the applications, packed for programs with these flags. The first test
 * after a change makes it, which takes as long as two starts.
 */
export function packedModules(): string {
  const { PATH, NODE_OPTIONS, PACKED_MODULES } = process.env;
  if (PACKED_MODULES !== undefined) return PACKED_MODULES;
  // V8 takes no code of another version, or made with other flags.
  const packs = join(CACHE, digest(process.version, NODE_OPTIONS, ...FLAGS));
  const version = digest(...SOURCES.flatMap(timesOf));
  const pack = join(packs, version);
  if (existsSync(pack)) return pack;
  mkdirSync(packs, { recursive: true });
  const older = readdirSync(packs).filter((name) => /^[0-9a-f]+$/.test(name) && name !== version);
  const making = mkdtempSync(join(packs, 'making-'));
  const env = { PATH, NODE_OPTIONS, PACKED_MODULES: making };
  // The first process leaves the modules, the second one their code.
  for (let round = 1; round <= 2; round += 1)
    execFileSync(process.execPath, [...FLAGS, '--require', PACKED_HOOK, LOADED], { env });
  try {
    renameSync(making, pack);
  } catch (error) {
    // Another worker made it at the same time.
    rmSync(making, { recursive: true });
    if (!existsSync(pack)) throw error;
  }
  for (const name of older) rmSync(join(packs, name), { recursive: true, force: true });
  return pack;
}

function timesOf(source: string): readonly string[] {
  return filesIn(join(ROOT, source)).map((path) => `${path} ${statSync(path).mtimeMs}`);
}

function digest(...parts: readonly (string | undefined)[]): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('hex');
}
