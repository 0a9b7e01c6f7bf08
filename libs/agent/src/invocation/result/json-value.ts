import type { JsonValue } from '../../message';

/**
 * A tool's own copy of its arguments, so that changes affect neither the conversation nor a retry.
 * Their depth was checked.
 */
export function ownCopyOf<Value extends JsonValue>(value: Value): Value {
  return copyOf(value, (copy) => copy) as Value;
}

/** A deeply frozen copy of a value of bounded depth. */
export function frozenCopyOf<Value extends JsonValue>(value: Value): Value {
  return copyOf(value, Object.freeze) as Value;
}

function copyOf(value: JsonValue, finish: <T>(copy: T) => T): JsonValue {
  // `0` for `-0`, as JSON writes it: the executed value is the shown and stored one.
  if (typeof value === 'number') return value + 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return finish(value.map((item: JsonValue) => copyOf(item, finish)));
  return finish(
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member, finish)])),
  );
}
