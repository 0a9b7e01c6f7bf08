import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { messageOf } from '../internal';
import type { EvalFile } from './cases';
import { checkEvals } from './evaluation-checks';
import { InvalidEvalsError } from './invalid-evals.error';

const load = createRequire(__filename);

/** The largest file in bytes, far above files that people write. */
const MOST_BYTES = 4_000_000;

/**
 * Reads and checks a file of evaluations: YAML if its name ends so, else JSON.
 *
 * @experimental
 * @param path the file, from the working directory
 * @returns its contents
 * @throws InvalidEvalsError if it cannot be read or holds no evaluations; each problem names the file,
 *   and the line of a mistake in its syntax
 * @example
 * import { evaluate, readEvals } from 'nestjs-agent/evals';
 *
 * const evaluateFile = (agent: AgentService) => evaluate(agent, readEvals('agent.evals.json'));
 */
export function readEvals(path: string): EvalFile {
  const text = textOf(path);
  const contents = /\.ya?ml$/i.test(path) ? yamlOf(path, text) : jsonOf(path, text);
  try {
    return checkEvals(contents);
  } catch (error) {
    if (!(error instanceof InvalidEvalsError)) throw error;
    throw new InvalidEvalsError(error.problems.map((problem) => `${path}: ${problem}`));
  }
}

function textOf(path: string): string {
  try {
    if (statSync(path).size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw invalid(`${path} cannot be read: ${messageOf(error)}`);
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = messageOf(error);
    // Newer Node.js releases add the line themselves, except at the end of the text.
    const offset = /at position (\d+)/.exec(message)?.[1];
    const before = text.slice(0, offset === undefined ? text.length : Number(offset)).split('\n');
    const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
    throw invalid(`${path}:${place} is no JSON: ${message}`);
  }
}

function yamlOf(path: string, text: string): unknown {
  const { parse } = yaml(path);
  try {
    return parse(text);
  } catch (error) {
    throw invalid(`${path} is no YAML: ${messageOf(error)}`);
  }
}

/** Optional: files in JSON do without it. */
function yaml(path: string): typeof import('yaml') {
  try {
    return load('yaml') as typeof import('yaml');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    throw invalid(`${path} needs the package yaml. Install with: npm install --save-dev yaml`);
  }
}

function invalid(problem: string): InvalidEvalsError {
  return new InvalidEvalsError([problem]);
}
