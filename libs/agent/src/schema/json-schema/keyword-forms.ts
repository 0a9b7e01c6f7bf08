import { isSchema, SCHEMA_HOLDERS } from './map-schemas';
import { unicodePattern } from './ecma-pattern';

/** The form of a keyword's value. */
interface KeywordForm {
  readonly fits: (value: unknown) => boolean;
  readonly words: string;
}

/** JSON Schema's names of types. */
export const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

const LIST: KeywordForm = { fits: Array.isArray, words: 'an array' };
const RECORD: KeywordForm = { fits: isSchema, words: 'an object' };
const TEXT: KeywordForm = { fits: (value) => typeof value === 'string', words: 'a string' };
const NUMBER: KeywordForm = { fits: Number.isFinite, words: 'a number' };
const COUNT: KeywordForm = {
  fits: (value) => Number.isInteger(value) && Number(value) >= 0,
  words: 'a whole number, 0 or more',
};
const TYPE: KeywordForm = {
  fits: (value) => [value].flat().length > 0 && [value].flat().every((type) => TYPES.has(type)),
  words: `one or several of ${[...TYPES].join(', ')}`,
};
const TEXTS: KeywordForm = {
  fits: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  words: 'an array of strings',
};
const VALUES: KeywordForm = {
  fits: (value) => Array.isArray(value) && value.length > 0,
  words: 'an array of at least one value',
};
const PATTERN: KeywordForm = {
  fits: (value) => typeof value === 'string' && isExpression(value),
  words: 'a regular expression',
};
const PATTERNS: KeywordForm = {
  fits: (value) => isSchema(value) && Object.keys(value).every(isExpression),
  words: 'an object by regular expressions',
};

export const KEYWORD_FORMS: ReadonlyMap<string, KeywordForm> = new Map([
  ...[...SCHEMA_HOLDERS].flatMap(([keyword, holder]): [string, KeywordForm][] =>
    holder === 'one' ? [] : [[keyword, holder === 'list' ? LIST : RECORD]],
  ),
  ...named(TEXT, '$ref', '$id', '$schema', 'title', 'description', 'format'),
  ...named(COUNT, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'),
  ...named(COUNT, 'minProperties', 'maxProperties'),
  ...named(NUMBER, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...named(
    { fits: (value) => Number.isFinite(value) && Number(value) > 0, words: 'a number above 0' },
    'multipleOf',
  ),
  ...named({ fits: (value) => typeof value === 'boolean', words: 'a boolean' }, 'uniqueItems'),
  ...named(TYPE, 'type'),
  ...named(TEXTS, 'required'),
  ...named(VALUES, 'enum'),
  ...named(PATTERN, 'pattern'),
  ...named(PATTERNS, 'patternProperties'),
]);

/** Whether a keyword's value has the right form. */
export function fitsForm(keyword: string, value: unknown): boolean {
  return KEYWORD_FORMS.get(keyword)?.fits(value) !== false;
}

function named(form: KeywordForm, ...keywords: readonly string[]): [string, KeywordForm][] {
  return keywords.map((keyword) => [keyword, form]);
}

function isExpression(source: string): boolean {
  try {
    unicodePattern(source);
    return true;
  } catch {
    return false;
  }
}
