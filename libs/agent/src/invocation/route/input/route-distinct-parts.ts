import { combine, NOTHING } from '../../../schema';
import type { JsonSchema } from '../../../tool';
import { isUndeclared, type RoutePart } from './route-part';

/**
 * One part for each value of the request: two DTOs of one query, or a DTO and a parameter of its own,
 * may read the same one.
 */
export function distinctParts(parts: readonly RoutePart[]): readonly RoutePart[] {
  const distinct = new Map<string, RoutePart>();
  for (const part of parts) {
    const { place, key } = part;
    const name = `${place} ${(place === 'header' ? key?.toLowerCase() : key) ?? ''}`;
    const earlier = distinct.get(name);
    distinct.set(name, earlier ? both(earlier, part) : part);
  }
  return [...distinct.values()];
}

/** A value that two parameters read, so that both have to accept it. */
function both(earlier: RoutePart, later: RoutePart): RoutePart {
  return {
    ...earlier,
    ...later,
    index: earlier.index,
    schema: schemaOfBoth(earlier.schema, later.schema),
    required: earlier.required || later.required,
  };
}

function schemaOfBoth(earlier: JsonSchema, later: JsonSchema): JsonSchema {
  // Of an open object nothing is known.
  if (isUndeclared(later)) return earlier;
  if (isUndeclared(earlier)) return later;
  // Definitions are found from the root, so not within `allOf`.
  if (earlier.$defs ?? later.$defs) return later;
  const schema = combine(earlier, later);
  // Text of a query has a type of its own for each of its readers.
  return schema === NOTHING ? later : schema;
}
