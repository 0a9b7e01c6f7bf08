import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pid } from 'node:process';
import { PGlite } from '@electric-sql/pglite';

const PACKAGES = join(__dirname, '../../node_modules');
const MANIFEST = readFileSync(join(PACKAGES, '@electric-sql/pglite/package.json'), 'utf8');
const CACHE = join(PACKAGES, '.cache/databases');
const EMPTY = join(CACHE, `${(JSON.parse(MANIFEST) as { version: string }).version}.tar`);

/**
 * A new embedded database, in a folder or in memory. Making one takes three seconds of processor time,
 * so that is done once, and each is a copy.
 */
export async function newDatabase(dataDir = 'memory://'): Promise<PGlite> {
  if (!existsSync(EMPTY)) await keepAnEmptyOne();
  return PGlite.create(dataDir, { loadDataDir: new Blob([await readFile(EMPTY)]) });
}

async function keepAnEmptyOne(): Promise<void> {
  const database = await PGlite.create();
  const content = await database.dumpDataDir('none');
  await database.close();
  await mkdir(CACHE, { recursive: true });
  // Another process may read it at the same time.
  const whole = `${EMPTY}.${pid}`;
  await writeFile(whole, content.stream());
  await rename(whole, EMPTY);
}
