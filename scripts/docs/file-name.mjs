// Readers who copy a guide's code must know which file a piece belongs to. Neither GitHub nor the
// site shows a fence's `file=`, so a line above the fence names the file.
import { basename } from 'node:path';

/** A line created by this script, with the empty line below it. */
export const NAME_LINE = /\*\*\[`[^`\n]+`\]\([^)\n]+\)\*\*\n\n/.source;

const CODE = new Set(['ts', 'tsx']);
/** A whole file, a declaration of it, or a method of a class that it declares. */
const DECLARATION = /^(?:import |export |@)/m;

/**
 * The line above a fence: the file's name, with a link to all of it, since a piece has no imports.
 * Empty if the piece belongs to no file of the reader, such as a single option.
 *
 * @param {{ language: string, file: string, source: string, shown: string }} piece the file as the
 *   page writes it, its text, and what the page shows of it
 * @returns {string}
 */
export function nameLine({ language, file, source, shown }) {
  const isModule = /^export class AppModule\b/m.test(source);
  if (!CODE.has(language) || (!isModule && !DECLARATION.test(shown))) return '';
  const name = isModule ? 'app.module.ts' : basename(file);
  return `**[\`${name}\`](${file})**\n\n`;
}
