import { withFallback } from '../../../internal';
import { isJsonObject, type JsonValue } from '../../../message';
import { hasObjects } from './route-query';

/** Up to so many values are read whole by every parser: Express's own make an object of a longer list. */
const ALWAYS_READ = 20;

/** A query before it is sent: its text, and the arguments under their names in it. */
interface WrittenQuery {
  readonly text: string;
  readonly pairs: readonly unknown[];
  readonly given: readonly { readonly key: string; readonly value: JsonValue }[];
}

/**
 * The names of a query that the application's parser reads otherwise than they are written: parsers
 * limit lists, depth and the number of values, and drop the rest.
 */
export function misreadNames(
  { text, pairs, given }: WrittenQuery,
  parse: (text: string) => unknown,
): readonly string[] {
  const isCertain = pairs.length <= ALWAYS_READ && !given.some(({ value }) => isJsonObject(value));
  if (isCertain) return [];
  // Nothing where the parser throws: the application answers such a query itself.
  const read = withFallback(() => parse(text.slice(1)), undefined);
  if (typeof read !== 'object' || read === null) return [];
  return given.flatMap(({ key, value }) => {
    // A parser of the application's own may name it otherwise.
    const known = Object.hasOwn(read, key);
    return known && !isAlike(value, (read as Readonly<Record<string, unknown>>)[key]) ? [key] : [];
  });
}

/** Whether a value has the form in which it was written; its texts may have been converted. */
function isAlike(value: JsonValue, read: unknown): boolean {
  // Without brackets, an object is a text, and so is a list of objects.
  if (typeof read === 'string' && hasObjects(value)) return true;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    if (items.length < 2 && !Array.isArray(read)) return true;
    return (
      Array.isArray(read) &&
      read.length === items.length &&
      items.every((item, index) => isAlike(item, read[index]))
    );
  }
  if (!isJsonObject(value)) return true;
  return (
    typeof read === 'object' &&
    read !== null &&
    Object.entries(value).every(
      ([key, member]) =>
        isNothing(member) ||
        (Object.hasOwn(read, key) &&
          isAlike(member, (read as Readonly<Record<string, unknown>>)[key])),
    )
  );
}

/** Whether a query cannot carry the value: it is null, or has no other values. */
function isNothing(value: JsonValue): boolean {
  return typeof value === 'object' && Object.values(value ?? {}).every(isNothing);
}
