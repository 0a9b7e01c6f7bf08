import type { JsonValue } from '../message';
import { failureOf } from './failure';

const DEEPEST = 64;
const UNREADABLE = '[unreadable]';

/**
 * Any value as JSON text. What JSON cannot say is said as well as it can be: a BigInt as its
 * digits, a Map as an object, a Set as an array, bytes by their number; of an error, what the model
 * may hear; what is a cycle, too deep or cannot be read, by a mark.
 */
export function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  try {
    return JSON.stringify(value, sayable) ?? 'null';
  } catch {
    // A cycle, a structure too deep for the engine's own recursion, or one that throws when read.
    return JSON.stringify(sayableParts(value, []), sayable) ?? 'null';
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

// A function, since only `this` shows the original of what `toJSON` already changed.
function sayable(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Readonly<Record<string, unknown>>)[key];
  if (original instanceof Uint8Array) return `[${original.byteLength} bytes]`;
  if (original instanceof Error) return failureOf(original);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, item]) => [String(name), item as unknown]));
  }
  if (value instanceof Set) return [...(value as ReadonlySet<unknown>)];
  return value;
}

/** What of a value can be read, without cycles and not too deep. */
function sayableParts(value: unknown, ancestors: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= DEEPEST) return '[too deep]';
  const path = [...ancestors, value];
  try {
    if (value instanceof Uint8Array || value instanceof Error) return value;
    if (value instanceof Map) return sayableParts(Object.fromEntries(value), path);
    if (value instanceof Set) return sayableParts([...(value as ReadonlySet<unknown>)], path);
    if (hasToJson(value)) return sayableParts(value.toJSON(), path);
    if (Array.isArray(value)) return value.map((item) => sayableParts(item, path));
    return Object.fromEntries(
      Object.keys(value).map((key) => [key, memberOf(value, key, path)] as const),
    );
  } catch {
    return UNREADABLE;
  }
}

function memberOf(object: object, key: string, path: readonly unknown[]): unknown {
  try {
    return sayableParts((object as Readonly<Record<string, unknown>>)[key], path);
  } catch {
    return UNREADABLE;
  }
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
