import { isJsonObject } from '../../message';

const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
]);

/**
 * Whether OpenAI can bind its answer to this schema: closed objects, every property required, only
 * keywords it knows. A schema that does not qualify is sent as it is, without `strict`; it is never
 * bent to fit, since that would change what the tool takes.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs
 */
export function isStrictSchema(schema: unknown, depth = 0): boolean {
  if (!isJsonObject(schema) || depth > 5) return false;
  const keywords = Object.keys(schema).filter((key) => !(depth === 0 && key === '$schema'));
  if (!keywords.every((key) => KEYWORDS.has(key))) return false;
  if (depth === 0 && schema['type'] !== 'object') return false;
  const { properties, required, items, $defs } = schema;
  const anyOf: unknown = schema['anyOf'];
  const isStrict = (inner: unknown) => isStrictSchema(inner, depth + 1);
  if (schema['type'] === 'object') {
    const names = Object.keys(isJsonObject(properties) ? properties : {});
    const isClosed = schema['additionalProperties'] === false;
    const isEveryRequired =
      names.length === 0 ||
      (Array.isArray(required) && names.every((name) => required.includes(name)));
    if (!isClosed || !isEveryRequired) return false;
  } else if (!('type' in schema || '$ref' in schema || 'enum' in schema || 'anyOf' in schema)) {
    return false;
  }
  return [
    ...Object.values(isJsonObject(properties) ? properties : {}),
    ...Object.values(isJsonObject($defs) ? $defs : {}),
    ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : []),
    ...(items === undefined ? [] : [items]),
  ].every(isStrict);
}
