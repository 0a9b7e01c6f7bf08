import type { JsonValue } from '../../message';

const DEEPEST = 64;

/** The value, or a copy that is cut at the depth that can be safely written as JSON. */
export function withinDepth<Value extends JsonValue>(value: Value): Value {
  return isDeeperThan(DEEPEST, value) ? (cutAt(DEEPEST, value) as Value) : value;
}

function isDeeperThan(levels: number, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

function cutAt(levels: number, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '[too deep]';
  if (Array.isArray(value)) return value.map((item: JsonValue) => cutAt(levels - 1, item));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutAt(levels - 1, member)]),
  );
}

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
