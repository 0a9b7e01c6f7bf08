import { mapSchemas, without, withUnicodePatterns } from '../../schema';
import type { JsonSchema } from '../../tool';

/**
 * A schema of arguments as clients read it: some know only draft 7, and one that cannot compile a
 * pattern may lose the whole list. Calls are checked against the schema of the definition.
 */
export function publishedInput(schema: JsonSchema): JsonSchema {
  return mapSchemas(withUnicodePatterns(withoutEndOfTuple(schema)), publishedInput);
}

/**
 * A schema of results as clients check them. A client that refuses a result loses it, although the
 * tool ran. Since the result is checked before it is sent, the rules that some clients apply
 * differently are left out: patterns, two formats, and the items after those of a tuple.
 */
export function publishedOutput(schema: JsonSchema): JsonSchema {
  const readable = withUnicodePatterns(withoutEndOfTuple(schema));
  const { format, items, ...rest } = without(readable, 'pattern');
  const own = {
    ...rest,
    ...(items !== undefined && rest['prefixItems'] === undefined && { items }),
    ...(format !== undefined && !LENIENT_FORMATS.has(format) && { format }),
  };
  return mapSchemas(own, publishedOutput);
}

/** Here, they accept international addresses. */
const LENIENT_FORMATS: ReadonlySet<unknown> = new Set(['email', 'url']);

/** In draft 7, `items: false` refuses all items of a tuple. `maxItems` has the same meaning as its end. */
function withoutEndOfTuple(schema: JsonSchema): JsonSchema {
  const { prefixItems, items, maxItems = Infinity, ...rest } = schema;
  if (!Array.isArray(prefixItems) || items !== false) return schema;
  return { ...rest, prefixItems, maxItems: Math.min(Number(maxItems), prefixItems.length) };
}
