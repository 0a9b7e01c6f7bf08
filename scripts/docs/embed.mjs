// Puts the snippet files into the pages that show them: a fence that begins with
// ```ts file=snippets/start/app.module.ts#module
// contains the text of that file or region, below the file's name. With --check, it only reports
// the fences that differ, by line.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { root } from '../package/paths.mjs';
import { NAME_LINE, nameLine } from './file-name.mjs';
import { unnamedPackages } from './packages.mjs';
import { readSnippet } from './snippet.mjs';

const FENCE = new RegExp(
  `^(?:${NAME_LINE})?${/```(?<language>\S+)(?<rest>.*)\n(?<body>[^]*?)^```$/.source}`,
  'gm',
);
const FILE = /^ file=(?<file>[^#\s]+)(?:#(?<region>\S+))?$/;
/** Languages of blocks that are not code to run: file trees and drawings. */
const PLAIN = new Set(['text', 'mermaid']);
/** Commands that install or start something need no file either. */
const INSTALLATION = /^(?:(?:npm|npx|nest|pnpm|yarn|node|docker) .+(?:\\\n +.+)*\n)+$/;

const docs = join(root, 'docs');
const guides = readdirSync(docs).filter((entry) => extname(entry) === '.md');
const isCheck = process.argv.includes('--check');
const problems = [];

for (const page of [join(root, 'README.md'), ...guides.map((name) => join(docs, name))]) {
  const text = readFileSync(page, 'utf8');
  const embedded = text.replace(FENCE, (shown, ...rest) => {
    const [offset, , groups] = rest.slice(-3);
    const place = `${relative(root, page)}:${text.slice(0, offset).split('\n').length}`;
    return fence({ page, text, place, shown, ...groups });
  });
  if (embedded !== text && !isCheck) writeFileSync(page, embedded);
}
for (const file of snippetFiles()) {
  if (!isTested(file)) problems.push(`${relative(root, file)} is used by no test beside it`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** The fence with its current text. */
function fence({ page, text, place, shown, language, rest, body }) {
  const named = FILE.exec(rest)?.groups;
  if (named === undefined) {
    const isPlain = PLAIN.has(language) || (language === 'sh' && INSTALLATION.test(body));
    if (!isPlain) problems.push(`${place} has a ${language} block without file=…`);
    return shown;
  }
  const path = join(dirname(page), named.file);
  try {
    const code = readSnippet(path, named.region);
    const source = readFileSync(path, 'utf8');
    const isGuide = dirname(page) === docs;
    const line = isGuide ? nameLine({ language, file: named.file, source, shown: code }) : '';
    const right = `${line}\`\`\`${language}${rest}\n${code}\n\`\`\``;
    if (isCheck && right !== shown) {
      problems.push(`${place} shows other code than ${relative(root, path)}: npm run docs`);
    }
    const unnamed = unnamedPackages({ page: text, source, shown: code, file: named.file });
    for (const name of named.region === undefined ? [] : unnamed) {
      problems.push(`${place} uses ${name}, which the page does not name`);
    }
    return right;
  } catch (error) {
    problems.push(`${place} shows ${relative(root, path)}: ${error.message}`);
    return shown;
  }
}

function snippetFiles() {
  return readdirSync(join(docs, 'snippets'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Whether the spec of its folder, or a snippet beside it, names the file. */
function isTested(file) {
  const stem = basename(file).replace(/\.ts$/, '');
  return readdirSync(dirname(file), { withFileTypes: true })
    .filter((entry) => entry.isFile() && join(dirname(file), entry.name) !== file)
    .some((entry) => readFileSync(join(dirname(file), entry.name), 'utf8').includes(stem));
}
