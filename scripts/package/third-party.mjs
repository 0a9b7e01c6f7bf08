// Writes THIRD-PARTY.md: the licences of third-party code in the published package. With --check,
// only reports whether it differs. The bundler lists the packages of the chat page.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, source } from './paths.mjs';

const chatUi = join(root, 'libs/chat-ui');
const file = join(root, 'THIRD-PARTY.md');

const { bundleDependencies } = readJson(join(source, 'package.json'));
const bundled = bundleDependencies.map((name) => folderOf(join(source, 'package.json'), name));
const text = documentOf([
  { place: 'The chat page (`ui/assets`)', packages: await packagesOfThePage() },
  { place: 'Copied into `node_modules`', packages: bundled.map(packageOf) },
]);
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('THIRD-PARTY.md is not what the package contains: npm run third-party');
  process.exitCode = 1;
}

/** The packages whose modules the bundler put into one of the page's files. */
async function packagesOfThePage() {
  const { build } = await import(
    pathToFileURL(folderOf(join(chatUi, 'package.json'), 'vite')) + '/dist/node/index.js'
  );
  const outputs = [];
  for (const mode of ['production', 'script-tag']) {
    outputs.push(
      await build({
        root: chatUi,
        mode,
        logLevel: 'error',
        build: { write: false, minify: false },
      }),
    );
  }
  const modules = outputs
    .flat()
    .flatMap(({ output }) => output)
    .flatMap(({ moduleIds }) => moduleIds ?? []);
  const folders = modules.flatMap(
    (id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [],
  );
  if (folders.length === 0) throw new Error('The bundler named no module of another package.');
  return [...new Set(folders)].sort().map(packageOf);
}

function packageOf(folder) {
  const { name, version, license, homepage } = readJson(join(folder, 'package.json'));
  const licences = readdirSync(folder).filter((entry) =>
    /^(licen[cs]e|copying|notice)/i.test(entry),
  );
  if (license === undefined || licences.length === 0) {
    throw new Error(`${name} has no licence in its package.`);
  }
  const texts = licences.sort().map((entry) => readFileSync(join(folder, entry), 'utf8').trim());
  return { name, version, license, homepage, texts };
}

function documentOf(places) {
  const parts = places.flatMap(({ place, packages }) => [
    `## ${place}`,
    ...packages.flatMap(({ name, version, license, homepage, texts }) => [
      `### ${name} ${version}`,
      `Licence: ${license}${homepage ? `. <${homepage}>` : ''}`,
      ...texts.map((text) => `\`\`\`text\n${text.replaceAll('\r\n', '\n')}\n\`\`\``),
    ]),
  ]);
  return `${['# Third-party software', 'The published package contains this software of others, under these licences.', ...parts].join('\n\n')}\n`;
}

function folderOf(from, name) {
  return dirname(createRequire(from).resolve(`${name}/package.json`));
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
