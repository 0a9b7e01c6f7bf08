import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './paths.mjs';

/** A package with its installed version; `a > b` is the `b` that `a` brought for itself. */
export function versionOf(name) {
  const [own, owner] = name.split(' > ').toReversed();
  const path = owner === undefined ? own : `${owner}/node_modules/${own}`;
  const manifest = readFileSync(join(folder, 'node_modules', path, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest);
  return `\`${own}\` ${version}${owner === undefined ? '' : ` in \`${owner}\``}`;
}
