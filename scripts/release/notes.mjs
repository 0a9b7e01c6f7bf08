// Prints the changelog's section of a tag's version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../package/paths.mjs';
import { notesOf } from './changelog.mjs';

const [tag = ''] = process.argv.slice(2);
console.log(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), tag.replace(/^v/, '')));
