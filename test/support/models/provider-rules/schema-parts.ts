import type { JsonSchema } from 'nestjs-agent/types';

/** A schema inside another, and the way to it. */
export interface SchemaPart {
  readonly path: string;
  readonly schema: JsonSchema;
  /** In how many objects and lists it stands. */
  readonly depth: number;
}

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'];

/** A schema and all that stand in it, its own first. */
export function* partsOf(schema: JsonSchema, path = '', depth = 1): Generator<SchemaPart> {
  yield { path, schema, depth };
  for (const [keyword, value] of Object.entries(schema)) {
    const inside = keyword === 'properties' || keyword === 'items' ? depth + 1 : depth;
    const inner: [string, unknown][] = MAPS.includes(keyword)
      ? Object.entries(value as object)
      : LISTS.includes(keyword)
        ? (value as unknown[]).map((one, index) => [String(index), one])
        : SINGLE.includes(keyword)
          ? [['', value]]
          : [];
    for (const [name, one] of inner)
      if (typeof one === 'object' && one !== null)
        yield* partsOf(one as JsonSchema, `${path}/${keyword}/${name}`, inside);
  }
}
