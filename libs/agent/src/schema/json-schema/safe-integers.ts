import type { JsonSchema } from '../../tool';
import { without } from './combine';
import { mapSchemas } from './map-schemas';

/**
 * The schema without the bounds of safe integers. Libraries write them of any integer, though nobody
 * set them; models would read them for nothing, for integers are checked against them anyway.
 */
export function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  const inside = mapSchemas(schema, withoutSafeBounds);
  const bounded = inside.minimum === Number.MIN_SAFE_INTEGER ? without(inside, 'minimum') : inside;
  return bounded.maximum === Number.MAX_SAFE_INTEGER ? without(bounded, 'maximum') : bounded;
}

/** Beyond 2^53 a JSON number is no longer the number that was written. */
export function withSafeBounds(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(schema.maximum === undefined && { maximum: Number.MAX_SAFE_INTEGER }),
    ...(schema.minimum === undefined && { minimum: Number.MIN_SAFE_INTEGER }),
  };
}
