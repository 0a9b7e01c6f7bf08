import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { FLOAT_TEXT, INTEGER_TEXT, typesOf } from '../json-schema';

/**
 * A default as a value of the schema of the pipes behind it, which convert text: `'10'` is 10 for a
 * number. `undefined` if they refuse the text.
 *
 * @param separator what parts the text of a list
 */
export function takenDefault(
  value: JsonValue | undefined,
  schema: JsonSchema | undefined,
  separator = ',',
): JsonValue | undefined {
  const types = typesOf(schema?.type);
  const isText = typeof value === 'string';
  if (types.includes('array') && !types.includes('string') && (isText || Array.isArray(value))) {
    const member = typeof schema?.items === 'object' ? schema.items : undefined;
    const parts: readonly JsonValue[] = isText ? value.split(separator) : value;
    const items = parts.map((part) => takenDefault(part, member));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isText || types.length === 0 || types.includes('string')) return value;
  if (types.includes('integer')) return number(value, INTEGER_TEXT);
  if (types.includes('number')) return number(value, FLOAT_TEXT);
  if (types.includes('boolean'))
    return ['true', 'false'].includes(value) ? value === 'true' : undefined;
  return value;
}

function number(text: string, form: string): number | undefined {
  return new RegExp(form, 'u').test(text) ? parseFloat(text) : undefined;
}
