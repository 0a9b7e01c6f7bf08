// A piece of a file shows no imports, so the page must name the packages of its names.

/** Packages that every reader with a NestJS application knows. */
const KNOWN = new Set([
  '@nestjs/common',
  '@nestjs/core',
  'class-transformer',
  'class-validator',
  'nestjs-agent',
  'rxjs',
]);
const IMPORT = /^import (?:type )?(?<names>[^'"]+?) from '(?<from>[^']+)';$/gm;

/**
 * The packages that a piece of code uses and its page neither names nor shows through a link
 * to the whole file.
 *
 * @param {{ page: string, source: string, shown: string, file: string }} piece the page's text, the
 *   whole file, what the page shows of it, and the file as the page writes it
 * @returns {string[]}
 */
export function unnamedPackages({ page, source, shown, file }) {
  if (page.includes(`](${file})`)) return [];
  return [...source.matchAll(IMPORT)]
    .filter(({ groups }) => namesOf(groups.names).some((name) => isWordOf(shown, name)))
    .map(({ groups }) => groups.from)
    .filter((from) => !KNOWN.has(from) && !/^(?:\.|node:)/.test(from))
    .filter((from) => !names(page, from));
}

/** The local names of `def, { a, type b as c }`. */
function namesOf(clause) {
  return clause
    .split(/[{},]/)
    .map((name) => name.trim().split(/\s+/).at(-1) ?? '')
    .filter((name) => name !== '');
}

function isWordOf(text, name) {
  return text.split(/[^\w$]+/).includes(name);
}

function names(page, specifier) {
  return page.split(/[\s'"`]+/).includes(specifier);
}
