import type { ToolChoice } from '../../model';
import { isJsonObject } from '../../message';
import { OpenAiRequestError } from './openai-error';

/** A request's body, not yet trusted. */
export type RawBody = Readonly<Record<string, unknown>>;

const READ = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'stop',
]);

/**
 * Fields that OpenAI documents as book-keeping or best effort: an answer that does not heed them is
 * still the answer that was asked for.
 */
const IGNORED = new Set([
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'seed',
  'service_tier',
  'user',
]);

const isOff = (value: unknown): boolean => value === false;
const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;
const never = (): boolean => false;

/** Fields that would change the answer and cannot be heeded, with the value that asks for nothing. */
const REFUSED: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['audio', never],
  ['frequency_penalty', (value: unknown) => value === 0],
  ['function_call', never],
  ['functions', never],
  ['logit_bias', isEmpty],
  ['logprobs', isOff],
  [
    'modalities',
    (value: unknown) => Array.isArray(value) && value.every((each) => each === 'text'),
  ],
  ['n', (value: unknown) => value === 1],
  ['parallel_tool_calls', (value: unknown) => value === true],
  ['prediction', never],
  ['presence_penalty', (value: unknown) => value === 0],
  ['reasoning_effort', never],
  ['response_format', (value: unknown) => isJsonObject(value) && value['type'] === 'text'],
  ['store', isOff],
  ['top_logprobs', (value: unknown) => value === 0],
  ['top_p', (value: unknown) => value === 1],
  ['verbosity', never],
  ['web_search_options', never],
]);

/** @throws OpenAiRequestError naming a field that cannot be heeded, or that nobody knows */
export function checkFields(body: RawBody): void {
  for (const [field, value] of Object.entries(body)) {
    if (READ.has(field) || IGNORED.has(field) || value === null) continue;
    const asksForNothing = REFUSED.get(field);
    if (asksForNothing === undefined) {
      throw new OpenAiRequestError(
        `Unrecognized request argument supplied: ${field}`,
        field,
        'unknown_parameter',
      );
    }
    if (!asksForNothing(value)) {
      throw new OpenAiRequestError(
        `Unsupported parameter: '${field}' is not supported with this model.`,
        field,
        'unsupported_parameter',
      );
    }
  }
}

export function booleanOf(body: RawBody, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw wrong(field, 'a boolean');
}

/** @throws OpenAiRequestError where the number is outside of `min` to `max` */
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

export function toolChoiceOf(
  { tool_choice: choice }: RawBody,
  nameOf: (name: string) => string,
): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  if (isJsonObject(choice) && choice['type'] === 'function' && isJsonObject(choice['function'])) {
    const { name } = choice['function'];
    if (typeof name === 'string') return { name: nameOf(name) };
  }
  throw wrong('tool_choice', '"none", "auto", "required" or the name of one function');
}

/** Whether the stream is to end with a chunk that counts tokens. */
export function includesUsage({ stream_options: options }: RawBody): boolean {
  if (options === undefined || options === null) return false;
  if (isJsonObject(options)) return options['include_usage'] === true;
  throw wrong('stream_options', 'an object');
}

export function wrong(field: string, expected: string): OpenAiRequestError {
  return new OpenAiRequestError(`Invalid value for '${field}': expected ${expected}.`, field);
}
