// Where a link of a document leads on the site. Documents have pages; any other file of the
// repository that a document names has a page with its text, so links work without a code host.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { linksOf } from '../scripts/docs/markdown.mjs';
import { root } from '../scripts/package/paths.mjs';

const NOT_SHOWN = new Set(['node_modules', 'dist', 'package-lock.json']);
/** Hidden files, and what an example writes when it is run in place. */
const LEFT_OUT = /^\.|\.sqlite$/;
const PICTURE = /\.(png|svg|jpe?g|webp)$/;

/** The documents that have pages, by their paths in the repository. */
export function documents() {
  const folders = ['docs', 'docs/decisions'];
  const guides = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => posix.join(folder, name)),
  );
  const atRoot = readdirSync(root).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return [...atRoot, ...guides];
}

/** The page of a document: guides lie at the top of the site. Sources keep their names. */
export function pageOf(document) {
  const page = document.replace(/^(docs|site)\//, '');
  return page.startsWith('source/') ? page : page.toLowerCase();
}

/** A link of a document, given by its path in the repository, as the site needs it. */
export function siteLink(document, target) {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(target)) return target;
  const [, anchor] = target.split('#');
  const file = fileOf(document, target);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (file === 'README.md') return `/${hash}`;
  if (documents().includes(file)) return `/${pageOf(file).replace(/\.md$/, '.html')}${hash}`;
  return sourceLink(file);
}

function sourceLink(file) {
  return `/source/${sourceName(file)}.html`;
}

/** VitePress takes `page.html`, `page.md` and `page` for the same page. */
export function sourceName(file) {
  return file.replace(/\.(html|md)$/, '-$1');
}

/** The files and folders that documents link to, and the files in such folders. */
export function linkedSources() {
  const shown = new Set();
  for (const document of documents()) {
    for (const { target } of linksOf(readFileSync(join(root, document), 'utf8'))) {
      if (siteLink(document, target).startsWith('/source/')) add(fileOf(document, target), shown);
    }
  }
  return [...shown].sort();
}

function fileOf(document, target) {
  const [path] = decodeURI(target).split('#');
  return posix.normalize(posix.join(posix.dirname(document), path)).replace(/\/$/, '');
}

function add(path, shown) {
  if (!existsSync(join(root, path)) || PICTURE.test(path)) return;
  shown.add(path);
  if (!statSync(join(root, path)).isDirectory()) return;
  for (const entry of entriesOf(path)) add(posix.join(path, entry), shown);
}

function entriesOf(folder) {
  const names = readdirSync(join(root, folder));
  return names.filter((name) => !NOT_SHOWN.has(name) && !LEFT_OUT.test(name));
}

/** The text of a source's page. */
export function sourcePage(path) {
  const heading = `# ${posix.basename(path)}\n\n\`${path}\`\n\n`;
  if (statSync(join(root, path)).isDirectory()) {
    const items = entriesOf(path).map((name) => `- [${name}](${sourceLink(`${path}/${name}`)})`);
    return `${heading}${items.join('\n')}\n`;
  }
  const text = readFileSync(join(root, path), 'utf8').trimEnd();
  const language = /\.(?<extension>\w+)$/.exec(path)?.groups.extension ?? 'text';
  return `${heading}\`\`\`\`\`${language}\n${text}\n\`\`\`\`\`\n`;
}
