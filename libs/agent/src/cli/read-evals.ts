import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { checkEvals, type EvalFile, InvalidEvalsError } from '../evals';
import { CommandError, messageOf } from './command.error';

const load = createRequire(__filename);

/**
 * Reads a file of evaluations: YAML if its name ends so, else JSON.
 *
 * @throws CommandError where it cannot be read, with the line of a mistake in its syntax
 */
export function readEvals(path: string): EvalFile {
  const text = textOf(path);
  const contents = /\.ya?ml$/i.test(path) ? yamlOf(path, text) : jsonOf(path, text);
  try {
    return checkEvals(contents);
  } catch (error) {
    if (!(error instanceof InvalidEvalsError)) throw error;
    throw new CommandError(error.problems.map((problem) => `${path}: ${problem}`).join('\n'));
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = messageOf(error);
    // Newer releases of Node tell the line themselves, and none at the end of the text.
    const offset = /at position (\d+)/.exec(message)?.[1];
    const before = text.slice(0, offset === undefined ? text.length : Number(offset)).split('\n');
    const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
    throw new CommandError(`${path}:${place} is no JSON: ${message}`);
  }
}

function yamlOf(path: string, text: string): unknown {
  const { parse } = yaml(path);
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(`${path} is no YAML: ${messageOf(error)}`);
  }
}

/** Optional: files in JSON do without it. */
function yaml(path: string): typeof import('yaml') {
  try {
    return load('yaml') as typeof import('yaml');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    throw new CommandError(
      `${path} needs the package yaml. Install with: npm install --save-dev yaml`,
    );
  }
}
