import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { source } from './paths.mjs';

const { preProcessFile } = createRequire(join(source, 'package.json'))('typescript');

/**
 * Removes the declarations that nobody who imports the package gets to see: editors would offer them,
 * and they are half of all.
 *
 * @param folder the package
 * @param entries the declarations that its manifest names, from the folder on
 */
export function removeUnseenDeclarations(folder, entries) {
  const seen = new Set();
  const next = entries.map((entry) => resolve(folder, entry));
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    next.push(...importedBy(file));
  }
  for (const name of readdirSync(folder, { recursive: true })) {
    const isOurs = name.endsWith('.d.ts') && !name.startsWith('node_modules');
    if (isOurs && !seen.has(join(folder, name))) rmSync(join(folder, name));
  }
}

/** @throws Error where a declaration imports what is not there */
function importedBy(file) {
  const { importedFiles } = preProcessFile(readFileSync(file, 'utf8'));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => {
      const path = resolve(dirname(file), fileName);
      const found = [`${path}.d.ts`, join(path, 'index.d.ts')].find(existsSync);
      if (found === undefined) throw new Error(`${file} imports ${fileName}, which is not there.`);
      return found;
    });
}
