import type { JsonSchema } from '../../tool';
import { without } from './combine';
import { mapSchemas } from './map-schemas';

/**
 * The schema without the bounds of safe integers, which libraries write for every integer. Integers
 * are checked against them anyway, so that models need not read them.
 */
export function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  const inside = mapSchemas(schema, withoutSafeBounds);
  return without(
    inside,
    inside.minimum === Number.MIN_SAFE_INTEGER ? 'minimum' : '',
    inside.maximum === Number.MAX_SAFE_INTEGER ? 'maximum' : '',
  );
}

/** A pattern of this length is still readable. */
const LONGEST = 60;

const FORMATS = ['date', 'date-time', 'duration', 'email', 'ipv4', 'ipv6', 'uuid'];

/** Whether a long pattern stands beside a format, which finds gross errors by itself. */
export function hasLongPattern({ format, pattern }: JsonSchema): boolean {
  return String(pattern).length > LONGEST && FORMATS.includes(format as string);
}
