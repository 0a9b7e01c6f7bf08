// Writes the project's address from project.json into every file that needs it; if it is empty, the
// fields are absent. With --check, only reports the files that differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../package/paths.mjs';
import { projectAddresses } from './addresses.mjs';
import { filledFiles } from './filled-files.mjs';

const isCheck = process.argv.includes('--check');
const addresses = projectAddresses();
for (const [name, fill] of Object.entries(filledFiles)) {
  const path = join(root, name);
  const text = readFileSync(path, 'utf8');
  const filled = fill(text, addresses);
  if (filled === text) continue;
  if (isCheck) {
    console.error(`${name} has not the address of project.json: npm run project`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, filled);
  }
}
