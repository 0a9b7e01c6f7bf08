import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

const LINK = /<a\b[^>]*\bhref="(?<target>[^"]+)"/g;
const ID = /\bid="(?<id>[^"]+)"/g;

/**
 * Looks every link of the built pages up: the page must be there, and the heading in it.
 *
 * @throws Error which lists the links that lead nowhere
 */
export function checkPages(folder, base) {
  const headings = new Map();
  const pages = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    // What TypeDoc wrote has been checked by TypeDoc.
    .filter((name) => name.endsWith('.html') && !name.startsWith('api/'));
  const dead = pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(LINK)]
      .map(({ groups }) => groups.target.replaceAll('&amp;', '&'))
      .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target) && !leadsSomewhere(page, target))
      .map((target) => `${page} links to ${target}`),
  );
  if (dead.length > 0)
    throw new Error(`Links that lead nowhere:\n${[...new Set(dead)].join('\n')}`);

  function leadsSomewhere(page, target) {
    const [path, anchor] = decodeURI(target).split('#');
    const file = path === '' ? page : fileOf(page, path);
    if (file === undefined) return false;
    return anchor === undefined || anchor === '' || headingsOf(file).has(anchor);
  }

  function fileOf(page, path) {
    const inside = path.startsWith('/')
      ? path.startsWith(base) && path.slice(base.length)
      : posix.join(posix.dirname(page), path);
    if (inside === false) return undefined;
    const file = inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside;
    const found = join(folder, file);
    return existsSync(found) && statSync(found).isFile() ? file : undefined;
  }

  function headingsOf(file) {
    if (!headings.has(file)) {
      const text = readFileSync(join(folder, file), 'utf8');
      headings.set(file, new Set([...text.matchAll(ID)].map(({ groups }) => groups.id)));
    }
    return headings.get(file);
  }
}
