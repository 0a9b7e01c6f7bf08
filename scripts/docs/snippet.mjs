import { existsSync, readFileSync } from 'node:fs';

/** Readers keep the files of all guides in one folder; here each guide has its own. */
const OTHER_GUIDE = /from '\.\.\/[\w-]+\//g;
const REGION = /^\s*(?:\/\/|#|<!--) #(?:end)?region\b/;

/**
 * The text of a snippet file, or of one of its regions, without region marks and without the
 * indentation that all its lines share. Imports of other guides' files are as in a reader's `src`.
 * Regions of one name are one text, in their order.
 *
 * @param {string} path
 * @param {string | undefined} region the text between `// #region <name>` and `// #endregion <name>`
 * @throws Error if there is no such file or region
 */
export function readSnippet(path, region) {
  if (!existsSync(path)) throw new Error('there is no such file');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const chosen = region === undefined ? lines : linesOf(region, lines);
  const shown = chosen.filter((line) => !REGION.test(line));
  const margin = Math.min(
    ...shown.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)),
  );
  return shown
    .map((line) => line.slice(margin))
    .join('\n')
    .replaceAll(OTHER_GUIDE, "from './")
    .trim();
}

function linesOf(region, lines) {
  const pieces = [];
  let start = -1;
  for (const [index, line] of lines.entries()) {
    if (isMark(line, 'region', region)) start = index + 1;
    if (!isMark(line, 'endregion', region) || start < 0) continue;
    pieces.push(lines.slice(start, index));
    start = -1;
  }
  if (start >= 0) throw new Error(`region "${region}" does not end`);
  if (pieces.length === 0) throw new Error(`it has no region "${region}"`);
  return pieces.flatMap((piece, index) => (index === 0 ? piece : ['', ...piece]));
}

function isMark(line, kind, region) {
  return REGION.test(line) && line.replace('-->', '').trim().endsWith(`#${kind} ${region}`);
}
