// Makes the release commit's changes: the version, the changelog's heading, and all addresses.
//   npm run release -- 0.2.0
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../package/paths.mjs';
import { projectAddresses } from '../project/addresses.mjs';
import { releaseChanges } from './changelog.mjs';

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '')) {
  throw new Error('Name the version, as in: npm run release -- 0.2.0');
}
if (projectAddresses() === undefined) {
  throw new Error('Set "repository" in project.json first: npm compares it with the provenance.');
}
const changelog = join(root, 'CHANGELOG.md');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, releaseChanges(readFileSync(changelog, 'utf8'), version, today));
change('libs/agent/package.json', (manifest) => {
  manifest.version = version;
});
change('package-lock.json', ({ packages }) => {
  packages['libs/agent'].version = version;
});
execFileSync(process.execPath, [join(root, 'scripts/project/fill.mjs')], { stdio: 'inherit' });
console.log(`Commit this as "chore: release ${version}", tag it v${version}, and push both.`);

function change(file, make) {
  const value = JSON.parse(readFileSync(join(root, file), 'utf8'));
  make(value);
  writeFileSync(join(root, file), `${JSON.stringify(value, null, 2)}\n`);
}
