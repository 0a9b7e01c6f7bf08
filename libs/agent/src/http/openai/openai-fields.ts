import type { ToolChoice } from '../../model';
import { isJsonObject, type JsonObject } from '../../message';
import { toToolName } from '../../tool';
import { OpenAiRequestError } from './openai-error';

/** A request's body, not yet validated. */
export type RawBody = Readonly<Record<string, unknown>>;

/**
 * Fields that cannot be ignored without changing the answer, with a check for their neutral values.
 */
const REFUSED: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['audio', () => false],
  ['function_call', () => false],
  ['functions', (value: unknown) => Array.isArray(value) && value.length === 0],
  ['logprobs', (value: unknown) => value === false],
  [
    'modalities',
    (value: unknown) => Array.isArray(value) && value.every((each) => each === 'text'),
  ],
  ['n', (value: unknown) => value === 1],
  ['top_logprobs', (value: unknown) => value === 0],
]);

/**
 * Clients routinely send many fields. Unused fields are ignored, unless the answer would differ
 * from the request: several choices, audio, the removed form of calls.
 *
 * @throws OpenAiRequestError naming such a field
 */
export function checkFields(body: RawBody, refused = REFUSED, where = 'with this model'): void {
  for (const [field, asksForNothing] of refused) {
    const value = body[field] ?? null;
    if (value === null || asksForNothing(value)) continue;
    throw unsupported('parameter', field, `is not supported ${where}`);
  }
}

export function booleanOf(body: RawBody, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw wrong(field, 'a boolean');
}

/** @throws OpenAiRequestError if the number is outside of `min` to `max` */
export function numberOf(
  body: RawBody,
  field: string,
  { min, max, isInteger = false }: { min: number; max: number; isInteger?: boolean },
): number | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  const fits = typeof value === 'number' && value >= min && value <= max;
  if (fits && (!isInteger || Number.isSafeInteger(value))) return value;
  throw wrong(field, `${isInteger ? 'an integer' : 'a number'} from ${min} to ${max}`);
}

export function stopOf({ stop }: RawBody): readonly string[] | undefined {
  if (stop === undefined || stop === null) return undefined;
  const sequences: unknown[] = Array.isArray(stop) ? stop : [stop];
  const areTexts = sequences.every((each) => typeof each === 'string' && each !== '');
  if (!areTexts || sequences.length > 4) throw wrong('stop', 'a string or up to 4 strings');
  return sequences.length === 0 ? undefined : (sequences as string[]);
}

/**
 * @param nameIn reads the name of the one tool that the model must call
 * @param noun the protocol's word for a tool
 */
export function toolChoiceOf(
  { tool_choice: choice }: RawBody,
  nameIn: (choice: JsonObject) => unknown,
  noun: string,
): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const name = isJsonObject(choice) ? nameIn(choice) : undefined;
  if (typeof name === 'string') return { name: toToolName(name) };
  throw wrong('tool_choice', `"none", "auto", "required" or the name of one ${noun}`);
}

/** Whether the stream ends with a chunk that counts tokens. */
export function includesUsage({ stream_options: options }: RawBody): boolean {
  if (options === undefined || options === null) return false;
  if (isJsonObject(options)) return options['include_usage'] === true;
  throw wrong('stream_options', 'an object');
}

/**
 * The members of a field that is a list.
 *
 * @param most the maximum number of members
 * @throws OpenAiRequestError for no list, an empty one, or one with more than `most` members
 */
export function listIn(
  raw: unknown,
  most: number,
  { field, noun, expected }: Readonly<Record<'field' | 'noun' | 'expected', string>>,
): readonly unknown[] {
  if (!Array.isArray(raw) || raw.length === 0) throw wrong(field, expected);
  if (raw.length > most) {
    throw new OpenAiRequestError(
      `Invalid '${field}': array too long. Expected at most ${most} ${noun}s, got ${raw.length}.`,
      field,
      'array_above_max_length',
    );
  }
  return raw as unknown[];
}

export function wrong(field: string, expected: string): OpenAiRequestError {
  return invalid(field, `expected ${expected}`);
}

/** @param problem of the field's value */
export function invalid(field: string, problem: string, code?: string): OpenAiRequestError {
  return new OpenAiRequestError(`Invalid value for '${field}': ${problem}.`, field, code);
}

/** The refusal of a field that the protocol has and this server does not take. */
export function unsupported(
  kind: 'parameter' | 'value',
  field: string,
  problem: string,
): OpenAiRequestError {
  const message = `Unsupported ${kind}: '${field}' ${problem}.`;
  return new OpenAiRequestError(message, field, `unsupported_${kind}`);
}
