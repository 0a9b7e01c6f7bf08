import type { JsonSchema } from '../../tool';

/** How a keyword holds schemas: one, a list of them, or several by name. */
type SchemaHolder = 'one' | 'list' | 'map';

/** Our own keyword, only while a schema is built: the declarations that a later one replaced. */
export const FORMER = 'x-former';

export const SCHEMA_HOLDERS: ReadonlyMap<string, SchemaHolder> = new Map<string, SchemaHolder>([
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['items', 'one'],
  ['additionalProperties', 'one'],
  ['unevaluatedProperties', 'one'],
  ['unevaluatedItems', 'one'],
  ['propertyNames', 'one'],
  ['contains', 'one'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  [FORMER, 'one'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['allOf', 'list'],
  ['prefixItems', 'list'],
]);

/** Keywords whose schemas describe members of the value. */
export const MEMBERS = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
];

/** Returns the replacement of a schema under a keyword, with its name in a map. */
type Replace = (part: JsonSchema, keyword: string, name?: string) => JsonSchema;

/** The schema with every direct subschema replaced; the same object if none changes. */
export function mapSchemas(schema: JsonSchema, replace: Replace): JsonSchema {
  let changed: Record<string, unknown> | undefined;
  for (const keyword in schema) {
    const holder = SCHEMA_HOLDERS.get(keyword);
    if (holder === undefined) continue;
    const value = schema[keyword];
    const replaced = replaceIn(holder, value, (part, name) => replace(part, keyword, name));
    if (replaced === value) continue;
    changed ??= { ...schema };
    changed[keyword] = replaced;
  }
  return changed ?? schema;
}

/** Whether a direct subschema passes a test. */
export function someSchema(schema: JsonSchema, test: (part: JsonSchema) => boolean): boolean {
  let found = false;
  mapSchemas(schema, (part) => {
    found ||= test(part);
    return part;
  });
  return found;
}

function replaceIn(
  holder: SchemaHolder,
  value: unknown,
  replace: (part: JsonSchema, name?: string) => JsonSchema,
): unknown {
  if (holder === 'list') {
    if (!Array.isArray(value)) return value;
    const parts = value.map((part: unknown) => (isSchema(part) ? replace(part) : part));
    return parts.some((part, index) => part !== value[index]) ? parts : value;
  }
  if (!isSchema(value)) return value;
  if (holder === 'one') return replace(value);
  let changed: Record<string, unknown> | undefined;
  for (const name in value) {
    const part = value[name];
    const replaced = isSchema(part) ? replace(part, name) : part;
    if (replaced === part) continue;
    changed ??= { ...value };
    changed[name] = replaced;
  }
  return changed ?? value;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
