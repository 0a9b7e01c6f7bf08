// Installs all examples once, for jest.examples.config.js, with the package as it would be published:
// as workspaces of one folder, since most of their packages are the same.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../package/pack.mjs';
import { built, root } from '../package/paths.mjs';
import { run } from '../package/run.mjs';

const COPIED = /\/(?:node_modules|dist|package-lock\.json)$/;
const FLAGS = ['--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];

export default async function install() {
  if (!existsSync(built)) throw new Error('Build the package first: npm run build:package');
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-examples-'));
  process.env.EXAMPLES_FOLDER = folder;
  cpSync(join(root, 'examples'), folder, {
    recursive: true,
    filter: (path) => !COPIED.test(path),
  });
  const { path: tarball } = await pack(folder);
  const examples = readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of examples) takeTarball(join(folder, name, 'package.json'), tarball);
  writeJson(join(folder, 'package.json'), {
    private: true,
    workspaces: examples.map(({ name }) => name),
  });
  await run('npm', ['install', ...FLAGS], { cwd: folder });
}

function takeTarball(path, tarball) {
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  manifest.dependencies['nestjs-agent'] = `file:${tarball}`;
  writeJson(path, manifest);
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
