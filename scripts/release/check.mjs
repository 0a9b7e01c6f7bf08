// Reports the reasons why a tag cannot be published. Called by the workflow that publishes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../package/paths.mjs';
import { projectAddresses } from '../project/addresses.mjs';
import { notesOf } from './changelog.mjs';

const [tag] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(root, 'libs/agent/package.json'), 'utf8'));
if (tag !== `v${version}`)
  throw new Error(`The tag ${tag} is not v${version}, the package's version.`);
if (projectAddresses() === undefined) throw new Error('"repository" in project.json is empty.');
notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
