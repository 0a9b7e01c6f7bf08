import { oncePer } from '../../../internal';
import type { JsonSchema } from '../../../tool';
import {
  type SchemaSize,
  STRICT_FORMATS,
  type StrictDialect,
  type StrictSchema,
  strictSchemaOf,
} from '../../dialect';
import { isStrictOpenAiPattern } from './openai-pattern';

const KEYWORDS: ReadonlySet<string> = new Set([
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);

const MAX_PROPERTIES = 5_000;
const MAX_DEPTH = 10;
const MAX_ENUM_VALUES = 1_000;
const MAX_CHARS = 120_000;
/** An enum with more texts than this has a limit of characters. */
const LARGE_ENUM_VALUES = 250;
const MAX_LARGE_ENUM_CHARS = 15_000;

/** @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const OPENAI_STRICT: StrictDialect = {
  takes: (keyword, value) => {
    if (keyword === 'pattern') return typeof value === 'string' && isStrictOpenAiPattern(value);
    return keyword === 'format' ? STRICT_FORMATS.includes(value) : KEYWORDS.has(keyword);
  },
  requiresAll: true,
  allowsRecursion: true,
  excess,
};

/**
 * A schema as OpenAI's strict mode accepts it, or why there is none. Computed once for each schema:
 * definitions do not change.
 */
export const openAiStrictSchema = oncePer((schema: JsonSchema): StrictSchema =>
  strictSchemaOf(schema, OPENAI_STRICT),
);

function excess({ properties, depth, enums, names }: SchemaSize): string | undefined {
  if (properties > MAX_PROPERTIES) return `it has more than ${MAX_PROPERTIES} properties`;
  if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
  const texts = enums.map((values) => values.map(String));
  const values = texts.flat();
  if (values.length > MAX_ENUM_VALUES) return `it has more than ${MAX_ENUM_VALUES} enum values`;
  if (charsOf(names) + charsOf(values) > MAX_CHARS)
    return `its names and enum values are longer than ${MAX_CHARS} characters`;
  const isLarge = (one: readonly string[]): boolean =>
    one.length > LARGE_ENUM_VALUES && charsOf(one) > MAX_LARGE_ENUM_CHARS;
  return texts.some(isLarge)
    ? `an enum of more than ${LARGE_ENUM_VALUES} values is longer than ${MAX_LARGE_ENUM_CHARS} characters`
    : undefined;
}

function charsOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
