import type { JsonObject, JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { isNameParameter, isTextParameter, matchScore, parameterWords } from './argument-match';
import {
  valuesIn,
  type ClauseValue,
  isReadWord,
  isStopWord,
  normalizeWord,
  withoutValues,
  wordsOf,
  writeVerbOf,
} from './language';
import { parametersOf, typeOf, type Parameter } from './json-schema.reader';

/** Facts besides the request itself. */
export interface Memory {
  /** Names and ids that earlier results held. */
  readonly known: ReadonlySet<string>;
  /** The meaning of `it` for a parameter of this name. */
  recall(parameter: string): JsonValue | undefined;
}

const NO_MEMORY: Memory = { known: new Set(), recall: () => undefined };

interface FilledArguments {
  readonly input: JsonObject;
  readonly missing: readonly Parameter[];
  /** Values of the request that found no parameter. */
  readonly unused: number;
  /** How well the request supports the arguments. */
  readonly strength: number;
}

/** Optional parameters are filled only if the request clearly mentions them. */
const OPTIONAL_THRESHOLD = 4;

/** Fills a tool's arguments from a request: by name, enum, quoted text, number and position. */
export function fillArguments(
  schema: JsonSchema,
  clause: string,
  nouns: ReadonlySet<string>,
  memory: Memory = NO_MEMORY,
): FilledArguments {
  const parameters = parametersOf(schema);
  const labels = new Set(
    parameters.flatMap(({ name }) => wordsOf(name).map((word) => word.toLowerCase())),
  );
  const values = valuesIn(clause, { known: memory.known, labels });
  const input: Record<string, JsonValue> = {};
  const used = new Set<ClauseValue>();
  const ownWords = new Set([...nouns, ...parameters.flatMap(({ name }) => parameterWords(name))]);
  let strength = 0;
  const set = (name: string, value: JsonValue, weight: number) => {
    input[name] = value;
    strength += weight;
  };

  for (const parameter of parameters) {
    const named = enumValue(parameter, clause, nouns) ?? booleanValue(parameter, clause);
    if (named === undefined) continue;
    set(parameter.name, named, parameter.isRequired ? 3 : 2);
    const spoken = new Set(
      wordsOf(Array.isArray(named) ? named.join(' ') : JSON.stringify(named)).map(normalizeWord),
    );
    for (const value of values) {
      if (wordsOf(value.text).every((word) => spoken.has(normalizeWord(word)))) used.add(value);
    }
  }

  const pairs = parameters
    .filter(({ name, schema: property }) => !(name in input) && property.enum === undefined)
    .flatMap((parameter) =>
      values.map((value) => ({ parameter, value, score: matchScore(parameter, value, nouns) })),
    )
    .filter(({ parameter, score }) => score >= (parameter.isRequired ? 0.1 : OPTIONAL_THRESHOLD))
    .sort((a, b) => b.score - a.score);
  for (const { parameter, value, score } of pairs) {
    if (parameter.name in input || used.has(value)) continue;
    if (isOwnWord(value, ownWords)) continue;
    used.add(value);
    set(parameter.name, coerce(parameter.schema, value.text), Math.min(score, 8) / 2);
  }

  const isOnly = parameters.filter(({ isRequired }) => isRequired).length === 1;
  for (const parameter of parameters) {
    if (parameter.name in input || !parameter.isRequired) continue;
    const filled = new Set(Object.keys(input).flatMap(parameterWords));
    const value = lastResort(parameter, clause, { values, used, filled, nouns, memory, isOnly });
    if (value !== undefined) set(parameter.name, value, 0.5);
  }
  const missing = parameters.filter(
    ({ name, isRequired, schema: property }) =>
      isRequired && !(name in input) && property.default === undefined,
  );
  const unused = values.filter((value) => !used.has(value) && value.kind !== 'word').length;
  return { input, missing, unused, strength };
}

interface Remains {
  readonly values: readonly ClauseValue[];
  readonly used: ReadonlySet<ClauseValue>;
  /** The words of the names of parameters that have a value: `version` in "shop version 2.0.0". */
  readonly filled: ReadonlySet<string>;
  readonly nouns: ReadonlySet<string>;
  readonly memory: Memory;
  /** Whether the tool needs nothing else. */
  readonly isOnly: boolean;
}

/** A list, a nested object, `it`, or the rest of the request for a text or name. */
function lastResort(
  parameter: Parameter,
  clause: string,
  { values, used, filled, nouns, memory, isOnly }: Remains,
): JsonValue | undefined {
  const { schema, name } = parameter;
  const type = typeOf(schema);
  if (type === 'array') {
    const items = typeof schema.items === 'object' ? schema.items : {};
    const wantsNumber = /^(?:number|integer)$/.test(typeOf(items) ?? '');
    const fitting = values.filter(
      (value) => !used.has(value) && (value.kind === 'number') === wantsNumber,
    );
    return fitting.length > 0 ? fitting.map(({ text }) => coerce(items, text)) : undefined;
  }
  if (type === 'object') {
    const inner = fillArguments(schema, clause, nouns, memory);
    return inner.missing.length === 0 && inner.strength > 0 ? inner.input : undefined;
  }
  if (type !== 'string' && type !== undefined) return undefined;
  if (isNameParameter(parameter, nouns) && /\b(?:it|its|that|this|one|same)\b/i.test(clause)) {
    const recalled = memory.recall(name);
    if (typeof recalled === 'string') return recalled;
  }
  const rest = restOf(clause, [...used], new Set([...nouns, ...filled]));
  if (rest === '' || typeof schema['format'] === 'string') return undefined;
  if (isTextParameter(parameter)) return rest;
  const words = rest.split(' ');
  if (words.length <= 2 && isNameParameter(parameter, nouns)) return rest;
  return isOnly ? words.at(-1) : undefined;
}

/** A request's words without its verb, the tool's own words and the values in use. */
function restOf(clause: string, used: readonly ClauseValue[], own: ReadonlySet<string>): string {
  const words = withoutValues(clause, used)
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const isContent = (word: string) =>
    word !== '' &&
    !isStopWord(word) &&
    !isReadWord(word) &&
    writeVerbOf(word) === undefined &&
    !own.has(normalizeWord(word));
  const first = words.findIndex(isContent);
  if (first === -1) return '';
  const last = words.findLastIndex(isContent);
  return words
    .slice(first, last + 1)
    .join(' ')
    .trim();
}

/** Words that name the tool or its parameters are no values: "with limit 3". */
function isOwnWord({ kind, text }: ClauseValue, ownWords: ReadonlySet<string>): boolean {
  return kind === 'word' && wordsOf(text).every((word) => ownWords.has(normalizeWord(word)));
}

function enumValue(
  { schema }: Parameter,
  clause: string,
  nouns: ReadonlySet<string>,
): JsonValue | undefined {
  const items = typeof schema.items === 'object' ? schema.items : undefined;
  const isList = typeOf(schema) === 'array';
  const options = (isList ? items?.enum : schema.enum) ?? [];
  const spoken = wordsOf(clause).map(normalizeWord);
  const found = options.filter((option) => {
    if (typeof option !== 'string' && typeof option !== 'number') return false;
    const words = wordsOf(String(option)).map(normalizeWord);
    const [first = ''] = words;
    const at = spoken.indexOf(first);
    // "list users" names the listed thing, not a role "user".
    const isNoun = words.length === 1 && nouns.has(first) && at === spoken.lastIndexOf(first);
    if (isNoun) return false;
    const isSaid = words.length > 0 && words.every((word, offset) => spoken[at + offset] === word);
    return at !== -1 && isSaid && !/^(?:not|no|without|except|non)$/.test(spoken[at - 1] ?? '');
  });
  if (found.length === 0) return undefined;
  // The longest one: "not started" contains "started".
  return isList
    ? found
    : found.sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
}

function booleanValue({ name, schema }: Parameter, clause: string): boolean | undefined {
  if (typeOf(schema) !== 'boolean') return undefined;
  const words = parameterWords(name).filter((word) => !/^(?:is|has|only|include)$/.test(word));
  const spoken = wordsOf(clause).map(normalizeWord);
  const at = spoken.indexOf(words[0] ?? '');
  if (at === -1 || !words.every((word) => spoken.includes(word))) return undefined;
  const isDenied = spoken
    .slice(Math.max(0, at - 2), at)
    .some((word) => /^(?:not|no|without|dont|don't)$/.test(word));
  const value = /^(?:false|off|no)$/.test(spoken[at + 1] ?? '');
  return !isDenied && !value;
}

/** A text as the schema's type. */
export function coerce(schema: JsonSchema, text: string): JsonValue {
  const type = typeOf(schema);
  if (type === 'number' || type === 'integer') return Number(text);
  if (type === 'boolean') return /^(?:true|yes|y|on|1)$/i.test(text);
  return text;
}
