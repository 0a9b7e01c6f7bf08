import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { FLOAT_TEXT, INTEGER_TEXT, sameJson, typesOf, unicodePattern } from '../json-schema';

/**
 * A default as a value of the schema of the pipes behind it, which convert text: `'10'` is 10 for a
 * number. `undefined` if they refuse the default.
 *
 * @param separator the separator of a list's text
 */
export function takenDefault(
  value: JsonValue | undefined,
  schema: JsonSchema = {},
  separator = ',',
): JsonValue | undefined {
  const types = typesOf(schema.type);
  const isText = typeof value === 'string';
  if (types.includes('array') && !types.includes('string') && (isText || Array.isArray(value))) {
    const member = typeof schema.items === 'object' ? schema.items : undefined;
    const parts: readonly JsonValue[] = isText ? value.split(separator) : value;
    const items = parts.map((part) => takenDefault(part, member));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const isConverted = isText && !types.includes('string');
  return fittingDefault(isConverted ? converted(value, types) : value, schema);
}

function converted(text: string, types: readonly string[]): JsonValue | undefined {
  if (types.includes('integer')) return number(text, INTEGER_TEXT);
  if (types.includes('number')) return number(text, FLOAT_TEXT);
  if (types.includes('boolean'))
    return ['true', 'false'].includes(text) ? text === 'true' : undefined;
  return text;
}

function number(text: string, form: string): number | undefined {
  return new RegExp(form, 'u').test(text) ? parseFloat(text) : undefined;
}

/** A default of one of a schema's types, within its bounds, else `undefined`. */
export function fittingDefault(
  value: JsonValue | undefined,
  schema: JsonSchema,
): JsonValue | undefined {
  if (value === undefined) return undefined;
  const types = typesOf(schema.type);
  const isOfType = types.length === 0 || types.some((one) => isOf(value, one));
  return isOfType && isWithin(schema, value) ? value : undefined;
}

type Check = (value: never, bound: never) => boolean;

/** Whether a value keeps to a keyword, by the value's type. */
const BOUNDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  number: {
    minimum: (value: number, bound: number) => value >= bound,
    maximum: (value: number, bound: number) => value <= bound,
    exclusiveMinimum: (value: number, bound: number) => value > bound,
    exclusiveMaximum: (value: number, bound: number) => value < bound,
  },
  string: {
    minLength: (value: string, bound: number) => [...value].length >= bound,
    maxLength: (value: string, bound: number) => [...value].length <= bound,
    pattern: (value: string, bound: string) =>
      new RegExp(unicodePattern(bound) ?? '', 'u').test(value),
  },
  array: {
    minItems: (value: unknown[], bound: number) => value.length >= bound,
    maxItems: (value: unknown[], bound: number) => value.length <= bound,
  },
};

/** Whether a value fits a schema's own values and bounds; null fits none. Other keywords are ignored. */
export function isWithin(schema: JsonSchema, value: JsonValue): boolean {
  if (value === null) return true;
  if (schema.enum?.every((one) => !sameJson(one, value)) === true) return false;
  const checks = BOUNDS[Array.isArray(value) ? 'array' : typeof value] ?? {};
  return Object.entries(checks).every(
    ([keyword, keeps]) =>
      schema[keyword] === undefined || keeps(value as never, schema[keyword] as never),
  );
}

function isOf(value: JsonValue, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (value === null) return type === 'null';
  return Array.isArray(value) ? type === 'array' : typeof value === type;
}
