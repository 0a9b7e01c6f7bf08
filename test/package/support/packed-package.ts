import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './program';

export const ROOT = join(__dirname, '../../..');

/** The package as it would be published; `npm run build:package` makes it. */
export const BUILT = join(ROOT, 'dist/nestjs-agent');

/** What npm says of the tarball that it would upload. */
export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly PackedFile[];
}

export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** What every application has beside it. */
export const ALONE = ['@nestjs/platform-express'];

/** Packages that the other tests have in another version. */
export const OTHER_VERSIONS = [
  ...['kysely@0.29', '@electric-sql/pglite@0.5'],
  ...['typescript-5@npm:typescript@5', 'typescript-6@npm:typescript@6', 'typescript@7'],
  '@types/node@20',
];

/** The folder of the run, with the tarball: packed.setup.ts makes it. */
export const packedFolder = (): string => process.env.PACKED_FOLDER ?? '';

export async function readPacked(): Promise<Packed> {
  return JSON.parse(await readFile(join(packedFolder(), 'packed.json'), 'utf8')) as Packed;
}

/**
 * Installs the tarball, its required peers and the other packages, nothing else, and answers where.
 * Test files that name the same packages share the folder.
 */
export async function installWith(...others: readonly string[]): Promise<string> {
  const folder = join(packedFolder(), createHash('sha1').update(others.join()).digest('hex'));
  if (existsSync(folder)) return folder;
  await mkdir(folder);
  const manifest = { name: 'application', private: true };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const { filename } = await readPacked();
  await run('npm', ['install', join(packedFolder(), filename), ...others], folder);
  return folder;
}
