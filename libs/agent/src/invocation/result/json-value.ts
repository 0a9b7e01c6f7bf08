import type { JsonValue } from '../../message';

const DEEPEST = 64;

/**
 * The value itself, or, where it is nested deeper than can be safely written as JSON, a copy that
 * is cut off there.
 */
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
 * A tool's own copy of its arguments: what it does to them changes neither the conversation nor a
 * second attempt. They have been checked, so their depth is bounded.
 */
export function ownCopyOf<Value extends JsonValue>(value: Value): Value;
export function ownCopyOf(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => ownCopyOf(item));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, member && ownCopyOf(member)]),
  );
}

/** A copy that nobody can change, of a value whose depth is bounded. */
export function frozenCopyOf<Value extends JsonValue>(value: Value): Value;
export function frozenCopyOf(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return Object.freeze(value.map((item: JsonValue) => frozenCopyOf(item)));
  return Object.freeze(
    Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, member && frozenCopyOf(member)]),
    ),
  );
}
