import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const REQUIRED = /(?:require|import)\((["'`])(\.[^"'`]+)\1\)/g;

/**
 * Removes compiled files that no import of the package reaches: those with types only, and the
 * indexes of rooms whose files are required directly.
 *
 * @param folder the package
 * @param entries the files that its manifest names and those that others load by path
 */
export function removeUnreachedCode(folder, entries) {
  const reached = new Set();
  const next = entries.map((entry) => resolve(folder, entry));
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const [, , specifier] of readFileSync(path, 'utf8').matchAll(REQUIRED)) {
      const target = resolve(dirname(path), specifier);
      next.push(...[target, `${target}.js`, join(target, 'index.js')].filter(isCode).slice(0, 1));
    }
  }
  for (const file of readdirSync(folder, { recursive: true })) {
    const path = join(folder, file);
    if (isCode(path) && !file.startsWith('node_modules') && !reached.has(path)) rmSync(path);
  }
}

function isCode(path) {
  return path.endsWith('.js') && existsSync(path) && statSync(path).isFile();
}
