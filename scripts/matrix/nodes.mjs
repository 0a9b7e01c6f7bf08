import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../package/run.mjs';

/**
 * The program of each major version of Node, by version: the running one if it fits, otherwise from
 * the npm packages with Node's own builds.
 */
export async function nodePrograms(majors, folder) {
  const [running] = process.versions.node.split('.').map(Number);
  const wanted = [...new Set(majors)].filter((major) => major !== running);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  // A separate prefix: a `node` among an application's packages would shadow the system's.
  const packages = wanted.map((major) => `node${major}@npm:${name}@${major}`);
  if (packages.length > 0)
    await run('npm', ['install', '--prefix', folder, '--no-save', ...packages]);
  return new Map([
    [running, process.execPath],
    ...wanted.map((major) => [major, join(folder, 'node_modules', `node${major}`, 'bin/node')]),
  ]);
}
