import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A guide's text on one line, to search for quotations. */
export function guideText(name: string): string {
  return textOf(name).replaceAll(/\s+/g, ' ');
}

/**
 * The rows of a guide's tables, each as its cells, without the marks of code around a whole cell.
 *
 * @param isRead selects sections by their headings; all by default
 */
export function guideRows(
  name: string,
  isRead: (heading: string) => boolean = () => true,
): readonly (readonly string[])[] {
  return textOf(name)
    .split(/^## /m)
    .filter((section) => isRead(section.split('\n', 1)[0] ?? ''))
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
    );
}

function textOf(name: string): string {
  return readFileSync(join(__dirname, '../../docs', `${name}.md`), 'utf8');
}
