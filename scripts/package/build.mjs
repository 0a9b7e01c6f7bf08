// Builds dist/nestjs-agent: the package exactly as it would be published.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { removeUnseenDeclarations } from './declarations.mjs';
import { requireDirectly } from './direct-requires.mjs';
import { built, compiler, root, source } from './paths.mjs';
import { publishedManifest } from './published-manifest.mjs';
import { run } from './run.mjs';
import { removeUnreachedCode } from './unreached.mjs';
import { stripComments } from './strip-comments.mjs';

const require = createRequire(join(source, 'package.json'));
const manifest = readJson(join(source, 'package.json'));

rmSync(built, { recursive: true, force: true });
await compile();
stripComments(built);
requireDirectly(built);
removeUnreachedCode(built, [
  ...filesOf([manifest.exports, manifest.bin], '.js'),
  'schematics/nest-add.js', // which collection.json names
]);
removeUnseenDeclarations(built, filesOf(manifest.exports, '.d.ts'));
writeJson(join(built, 'package.json'), publishedManifest(manifest));
for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY.md'])
  cpSync(join(root, file), join(built, file));
for (const name of manifest.bundleDependencies) copyBundled(name);
for (const file of ['schematics/collection.json', 'evals/agent-evals.schema.json'])
  cpSync(join(source, 'src', file), join(built, file));
copyAssets();

async function compile() {
  await run(process.execPath, [compiler, '-p', join(source, 'tsconfig.build.json')]);
}

/** The files with an extension that a manifest's fields name. */
function filesOf(named, extension) {
  if (typeof named === 'string') return named.endsWith(extension) ? [named] : [];
  return Object.values(named).flatMap((each) => filesOf(each, extension));
}

/**
 * npm packs a bundled dependency from the package's own node_modules, so it must be there.
 *
 * Its peer ranges become ours: npm also reads the copy's manifest, and if its range is narrower
 * than ours, `npm ls` fails in the user's application and every later installation warns.
 */
function copyBundled(name) {
  const installed = dirname(require.resolve(`${name}/package.json`));
  const copy = join(built, 'node_modules', name);
  cpSync(installed, copy, {
    recursive: true,
    // Only our code imports it; its source maps refer to sources that it does not publish.
    filter: (path) => !/\.(?:map|d\.ts|md)$/.test(path),
  });
  const bundled = readJson(join(installed, 'package.json'));
  const peers = Object.keys(bundled.peerDependencies ?? {});
  const missing = peers.filter((peer) => manifest.peerDependencies[peer] === undefined);
  if (missing.length > 0) throw new Error(`${name} has peers that we lack: ${missing.join(', ')}`);
  writeJson(join(copy, 'package.json'), {
    ...bundled,
    typings: undefined,
    peerDependencies: Object.fromEntries(
      peers.map((peer) => [peer, manifest.peerDependencies[peer]]),
    ),
  });
}

/** The chat page has a separate build. */
function copyAssets() {
  const assets = join(root, 'libs/chat-ui/dist');
  if (!existsSync(assets)) throw new Error('Build the chat page first: npm run build:ui');
  cpSync(assets, join(built, 'ui/assets'), { recursive: true });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
