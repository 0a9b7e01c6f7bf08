import type { JsonSchema } from '../../tool';
import { without } from './combine';
import { mapSchemas } from './map-schemas';

/**
 * The schema without the bounds of safe integers, which libraries write for every integer. Integers
 * are checked against them anyway, so that models need not read them.
 */
export function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  const inside = mapSchemas(schema, withoutSafeBounds);
  const bounded = inside.minimum === Number.MIN_SAFE_INTEGER ? without(inside, 'minimum') : inside;
  return bounded.maximum === Number.MAX_SAFE_INTEGER ? without(bounded, 'maximum') : bounded;
}

/** A pattern of this length is still readable. */
const LONGEST = 60;

const FORMATS = ['date', 'date-time', 'duration', 'email', 'ipv4', 'ipv6', 'uuid'];

/**
 * The schema without the long patterns that libraries write beside a format. The format finds gross errors; the
 * schema itself, or a route's own pipe, decides afterwards.
 */
export function withoutLongPatterns(schema: JsonSchema): JsonSchema {
  const inside = mapSchemas(schema, withoutLongPatterns);
  const { format, pattern } = inside;
  const isTold = typeof format === 'string' && FORMATS.includes(format);
  return isTold && typeof pattern === 'string' && pattern.length > LONGEST
    ? without(inside, 'pattern')
    : inside;
}
