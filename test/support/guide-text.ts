import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A guide's text on one line, to look for what it quotes. */
export function guideText(name: string): string {
  return textOf(name).replaceAll(/\s+/g, ' ');
}

/** The rows of a guide's tables, each as its cells, without the marks of code around a whole cell. */
export function guideRows(name: string): readonly (readonly string[])[] {
  return textOf(name)
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
