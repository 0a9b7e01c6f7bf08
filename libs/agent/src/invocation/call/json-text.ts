import type { JsonValue } from '../../message';
import { toolFailureOf } from './failures';

/** Maximum depth. */
const DEEPEST = 64;
/** Maximum number of values; a shared object counts at each place. */
const MOST = 500_000;

const CIRCULAR = '[circular]';
const TOO_DEEP = '[too deep]';
const TOO_LARGE = '[too large]';
const UNREADABLE = '[unreadable]';

/**
 * Any value as JSON text: a BigInt as digits, a Map as an object, a Set as an array, bytes by their
 * number, an error as its message for the model. A mark replaces cycles and parts that are too
 * deep, too large or unreadable.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(new PlainCopy().plain(value, '')) ?? 'null';
}

/** Any value as an independent JSON value. */
export function jsonValueOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return JSON.parse(jsonText(value)) as JsonValue;
}

/** The value, or a copy that is cut at the depth that can be safely written as JSON. */
export function withinDepth<Value extends JsonValue>(value: Value): Value {
  return isDeeperThan(DEEPEST, value) ? (jsonValueOf(value) as Value) : value;
}

function isDeeperThan(levels: number, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

/** Converts a value into one that `JSON.stringify` can write. Never fails. */
class PlainCopy {
  private readonly ancestors: object[] = [];
  private left = MOST;

  plain(value: unknown, key: string): unknown {
    if (!isObject(value)) return typeof value === 'bigint' ? value.toString() : value;
    try {
      const shown = shownAs(value, key);
      if (!isObject(shown)) return typeof shown === 'bigint' ? shown.toString() : shown;
      if (this.ancestors.includes(shown)) return CIRCULAR;
      if (this.ancestors.length >= DEEPEST) return TOO_DEEP;
      return this.within(shown);
    } catch {
      return UNREADABLE;
    }
  }

  private within(object: object): unknown {
    this.ancestors.push(object);
    try {
      return this.parts(object);
    } finally {
      this.ancestors.pop();
    }
  }

  private parts(object: object): unknown {
    if (object instanceof Error) return toolFailureOf(object);
    if (Array.isArray(object)) return this.list(object);
    if (object instanceof Set) return this.list([...(object as ReadonlySet<unknown>)]);
    if (object instanceof Map) return this.members(Object.fromEntries(object) as object);
    if (ArrayBuffer.isView(object)) {
      return isNumbers(object) ? this.list(object) : `[${object.byteLength} bytes]`;
    }
    return isBoxed(object) ? object : this.members(object);
  }

  private list(items: ArrayLike<unknown>): readonly unknown[] {
    const copy: unknown[] = [];
    for (let index = 0; index < items.length; index += 1) {
      if (this.isSpent()) return [...copy, TOO_LARGE];
      copy.push(this.plain(items[index], String(index)));
    }
    return copy;
  }

  private members(object: object): unknown {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      if (this.isSpent()) return { ...copy, [TOO_LARGE]: true };
      const value = this.member(object, key);
      // An assignment would set the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
      else copy[key] = value;
    }
    return copy;
  }

  private member(object: object, key: string): unknown {
    try {
      return this.plain((object as Readonly<Record<string, unknown>>)[key], key);
    } catch {
      return UNREADABLE;
    }
  }

  private isSpent(): boolean {
    this.left -= 1;
    return this.left < 0;
  }
}

/**
 * The object's `toJSON` value; not for bytes, which are long, and errors, which may contain
 * secrets.
 */
function shownAs(object: object, key: string): unknown {
  if (object instanceof Error || ArrayBuffer.isView(object)) return object;
  const { toJSON } = object as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(object, key) as unknown) : object;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isNumbers(view: ArrayBufferView): view is ArrayBufferView & ArrayLike<unknown> {
  return !(view instanceof Uint8Array || view instanceof DataView);
}

/** `JSON.stringify` unwraps these itself. */
function isBoxed(object: object): boolean {
  return object instanceof String || object instanceof Number || object instanceof Boolean;
}
