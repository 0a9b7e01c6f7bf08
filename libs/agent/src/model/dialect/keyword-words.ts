import type { JsonSchema } from '../../tool';

type Phrase = (value: never) => string | undefined;

const PHRASES: Readonly<Record<string, Phrase>> = {
  type: (type: string | readonly string[]) => `of type ${[type].flat().join(' or ')}`,
  enum: (values: unknown) => `one of ${listed(values)}`,
  const: (value: unknown) => `one of ${listed(value)}`,
  minLength: (length: number) => `at least ${length} characters`,
  maxLength: (length: number) => `at most ${length} characters`,
  pattern: (pattern: string) => `matches ${pattern}`,
  format: (format: string) => `format: ${format}`,
  minimum: (bound: number) => `at least ${bound}`,
  maximum: (bound: number) => `at most ${bound}`,
  exclusiveMinimum: (bound: number) => `more than ${bound}`,
  exclusiveMaximum: (bound: number) => `less than ${bound}`,
  multipleOf: (divisor: number) => `a multiple of ${divisor}`,
  minItems: (count: number) => `at least ${count} items`,
  maxItems: (count: number) => `at most ${count} items`,
  uniqueItems: (isUnique: boolean) => (isUnique ? 'all items differ' : ''),
  minProperties: (count: number) => `at least ${count} properties`,
  maxProperties: (count: number) => `at most ${count} properties`,
  contains: (item: JsonSchema) => around('an item is', schemaInWords(item)),
  contentEncoding: (encoding: string) => `encoded as ${encoding}`,
  contentMediaType: (type: string) => `media type: ${type}`,
  default: (value: unknown) => `${JSON.stringify(value)} where nothing is given`,
  examples: (values: unknown) => `for example ${listed(values)}`,
  not: (refused: JsonSchema) => around('not:', schemaInWords(refused)),
  allOf: (parts: readonly JsonSchema[]) => {
    const words = parts.map(schemaInWords);
    return words.includes(undefined) ? undefined : words.join(', ');
  },
};

/** Annotations without information for a model. */
const SILENT: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/**
 * A keyword in words, for the description of a schema whose reader does not support the keyword;
 * `''` if it has no meaning for a model, `undefined` if it cannot be put in a few words.
 */
export function inWords(keyword: string, value: unknown): string | undefined {
  if (SILENT.has(keyword)) return '';
  const phrase = Object.hasOwn(PHRASES, keyword) ? PHRASES[keyword] : undefined;
  return phrase?.(value as never);
}

function schemaInWords(schema: JsonSchema): string | undefined {
  const words = Object.entries(schema).map(([keyword, value]) => inWords(keyword, value));
  return words.length === 0 || words.includes(undefined) ? undefined : words.join(' and ');
}

function around(before: string, words: string | undefined): string | undefined {
  return words === undefined ? undefined : `${before} ${words}`;
}

function listed(values: unknown): string {
  return [values]
    .flat()
    .map((value) => JSON.stringify(value))
    .join(', ');
}
