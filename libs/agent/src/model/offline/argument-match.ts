import type { JsonSchema } from '../../tool';
import { type ClauseValue, normalizeWord, wordsOf } from './language';
import { typeOf, type Parameter } from './json-schema.reader';

const NAMES = new Set('name id key slug number code application service project user'.split(' '));
const TEXTS = new Set(
  'query text message content comment reason title description note question prompt body subject search term keyword q input string summary'.split(
    ' ',
  ),
);
const PLACES = new Set(
  'environment target region zone location city country place destination branch stage timezone'.split(
    ' ',
  ),
);
const COUNTS = new Set('limit count size top take max maximum amount quantity'.split(' '));
const LINKS = new Set('is = : of to as be the with at named called number no'.split(' '));

/** The words of a parameter's name, in their plain form. */
export function parameterWords(name: string): readonly string[] {
  return wordsOf(name).map(normalizeWord);
}

/** Whether a parameter takes the name or id of a thing, of one of these nouns in particular. */
export function isNameParameter({ name }: Parameter, nouns: ReadonlySet<string>): boolean {
  return parameterWords(name).some((word) => NAMES.has(word) || nouns.has(word));
}

export function isTextParameter({ name }: Parameter): boolean {
  return parameterWords(name).some((word) => TEXTS.has(word));
}

/**
 * How well a value suits a parameter; 0 or less if it does not. The words around the value count
 * most, then its form.
 */
export function matchScore(
  parameter: Parameter,
  value: ClauseValue,
  nouns: ReadonlySet<string>,
): number {
  const shape = shapeScore(parameter, value, nouns);
  if (shape <= 0) return 0;
  return shape + contextScore(parameter, value, nouns);
}

function shapeScore(
  parameter: Parameter,
  { kind, text }: ClauseValue,
  nouns: ReadonlySet<string>,
): number {
  const { schema } = parameter;
  const type = typeOf(schema);
  if (type === 'integer') return kind === 'number' && /^-?\d+$/.test(text) ? 1 : 0;
  if (type === 'number') return kind === 'number' ? 1 : 0;
  if (type !== 'string' && type !== undefined) return 0;
  if (!fitsPattern(schema, text)) return 0;
  const format = schema['format'];
  const words = parameterWords(parameter.name);
  const isName = isNameParameter(parameter, nouns);
  switch (kind) {
    case 'quoted':
      return isDate(parameter) || typeof format === 'string' ? 0.5 : 4;
    case 'url':
      return format === 'uri' || words.includes('url') ? 8 : 0.5;
    case 'email':
      return format === 'email' || words.includes('email') ? 8 : 0.5;
    case 'uuid':
      return format === 'uuid' || isName ? 8 : 0.5;
    case 'date':
      return isDate(parameter) ? 8 : 0;
    case 'version':
      return wantsVersion(parameter) ? 8 : isName || isDate(parameter) ? 0 : 0.5;
    case 'number':
      if (isDate(parameter) || wantsVersion(parameter)) return wantsVersion(parameter) ? 1 : 0;
      return isName && !text.includes('.') ? 1 : 0.2;
    case 'identifier':
      if (isDate(parameter) || wantsVersion(parameter)) return 0;
      if (text.includes('/') && words.includes('zone')) return 8;
      return isName ? 4 : 1;
    case 'word':
      if (isDate(parameter) || wantsVersion(parameter) || typeof format === 'string') return 0;
      return isName ? 1 : 0.4;
  }
}

function contextScore(
  parameter: Parameter,
  { kind, before, after }: ClauseValue,
  nouns: ReadonlySet<string>,
): number {
  const words = parameterWords(parameter.name);
  const near = before.filter((word, index) => index < 3 && !LINKS.has(word)).map(normalizeWord);
  const [closest] = near;
  const [preposition = ''] = before;
  let score = 0;
  if (preposition === parameter.name.toLowerCase()) score += 8;
  else if (closest !== undefined && words.includes(closest)) score += 8;
  else if (closest !== undefined && nouns.has(closest) && isNameParameter(parameter, nouns)) {
    score += 4;
  }
  if (after !== '' && words.includes(normalizeWord(after))) score += 3;
  const isFor = before.slice(0, 2).some((word) => word === 'for' || word === 'of');
  if (isFor && kind !== 'number' && isNameParameter(parameter, nouns)) score += 3;
  const isAt = before.slice(0, 2).some((word) => /^(?:to|in|on|at|into)$/.test(word));
  if (isAt && words.some((word) => PLACES.has(word))) score += 5;
  const isFirst = before.some((word) => /^(?:top|first|last|latest|limit)$/.test(word));
  if (kind === 'number' && words.some((word) => COUNTS.has(word))) {
    if (isFirst || nouns.has(normalizeWord(after))) score += 5;
  }
  return score;
}

function isDate({ name, schema }: Parameter): boolean {
  const format = schema['format'];
  if (format === 'date' || format === 'date-time') return true;
  return parameterWords(name).some((word) => /^(?:date|since|until|day)$/.test(word));
}

function wantsVersion({ name, schema }: Parameter): boolean {
  const text = `${name} ${schema.description ?? ''}`;
  return /\b(?:version|release|tag|revision)\b/i.test(text.replaceAll('_', ' '));
}

const LONGEST_MATCHED = 64;
const MOST_QUANTIFIERS = 3;

function fitsPattern(schema: JsonSchema, text: string): boolean {
  const pattern = schema['pattern'];
  if (typeof pattern !== 'string' || text.length > LONGEST_MATCHED || !isCheap(pattern))
    return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/**
 * Whether an expression ends soon on any short text. It may come from an untrusted browser tool,
 * and a repeated group or a row of repetitions can take forever.
 */
function isCheap(pattern: string): boolean {
  const quantifiers = pattern.match(/[*+{?]/g)?.length ?? 0;
  return quantifiers <= MOST_QUANTIFIERS && !/\)[*+{?]|\\[1-9k]/.test(pattern);
}
