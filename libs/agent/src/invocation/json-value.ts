import type { JsonValue } from '../message';

const DEEPEST = 64;

/**
 * Any value as JSON text. What JSON cannot say is said as well as it can be: a BigInt as its
 * digits, a Map as an object, a Set as an array, bytes by their number, a cycle by a mark.
 */
export function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  try {
    return JSON.stringify(value, sayable) ?? 'null';
  } catch {
    // A cycle, or a structure too deep for the engine's own recursion.
    return JSON.stringify(withoutCycles(value, []), sayable) ?? 'null';
  }
}

function scalarText(value: unknown): string {
  return JSON.stringify(typeof value === 'bigint' ? value.toString() : value) ?? 'null';
}

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

/** Any value as a JSON value, independent of the original. */
export function jsonValueOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return JSON.parse(jsonText(value)) as JsonValue;
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

// A function, since only `this` shows the original of what `toJSON` already changed.
function sayable(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Readonly<Record<string, unknown>>)[key];
  if (original instanceof Uint8Array) return `[${original.byteLength} bytes]`;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, item]) => [String(name), item as unknown]));
  }
  if (value instanceof Set) return [...(value as ReadonlySet<unknown>)];
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value;
}

function withoutCycles(value: unknown, ancestors: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= DEEPEST) return '[too deep]';
  const path = [...ancestors, value];
  if (value instanceof Map) return withoutCycles(Object.fromEntries(value), path);
  if (value instanceof Set) return withoutCycles([...(value as ReadonlySet<unknown>)], path);
  if (value instanceof Uint8Array || value instanceof Error || hasToJson(value)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutCycles(item, path));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutCycles(item, path)]),
  );
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
