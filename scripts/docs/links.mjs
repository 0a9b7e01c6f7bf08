// Reports broken relative links in the documents (missing files or headings), and guides that the
// README lists under no topic; the site's navigation is built from the topics.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root } from '../package/paths.mjs';
import { guidesByTopic } from './guides.mjs';
import { anchorsOf, linksOf } from './markdown.mjs';

const docs = readdirSync(join(root, 'docs'), { recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
const known = new Map();
let count = 0;

const pages = readdirSync(root).filter((name) => name.endsWith('.md'));
const examples = readdirSync(join(root, 'examples')).map((name) =>
  join('examples', name, 'README.md'),
);

for (const page of [...pages, ...examples, ...docs]) {
  for (const { line, target } of linksOf(readFileSync(join(root, page), 'utf8'))) {
    const problem = problemOf(join(root, page), target);
    if (problem === undefined) continue;
    console.error(`${page}:${line} links to ${target}: ${problem}`);
    count += 1;
  }
}
const listed = guidesByTopic().flatMap(({ guides }) => guides.map((guide) => guide.file));
for (const guide of docs.filter((name) => /^docs\/[^/]+$/.test(name) && !listed.includes(name))) {
  console.error(`${guide} is in no topic of the table under "Guides" in README.md`);
  count += 1;
}
process.exitCode = count > 0 ? 1 : 0;

function problemOf(page, target) {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return undefined;
  const [path, anchor] = decodeURI(target).split('#');
  const file = path === '' ? page : resolve(dirname(page), path);
  if (!`${file}${sep}`.startsWith(`${root}${sep}`)) return 'it lies outside of the repository';
  if (!existsSync(file)) return `there is no ${relative(root, file)}`;
  if (anchor === undefined) return undefined;
  if (!file.endsWith('.md') || statSync(file).isDirectory()) return 'only documents have headings';
  return anchors(file).has(anchor) ? undefined : `${relative(root, file)} has no such heading`;
}

function anchors(file) {
  if (!known.has(file)) known.set(file, anchorsOf(readFileSync(file, 'utf8')));
  return known.get(file);
}
