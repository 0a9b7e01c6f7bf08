import type { AnyClass } from './class-type';
import { isJsonObject, type JsonValue } from '../../message';

interface InitialValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** Properties whose values differ between instances: random ones, or the time. */
  readonly momentary: ReadonlySet<string>;
}

/**
 * The values of a new instance's property initialisers; none for a constructor that fails without
 * arguments.
 */
export function initialValuesOf(type: AnyClass): InitialValues {
  try {
    const since = Date.now();
    const values: Readonly<Record<string, unknown>> = { ...construct(type) };
    const names = Object.keys(values);
    if (names.length === 0) return NONE;
    const others: Readonly<Record<string, unknown>> = { ...construct(type) };
    const momentary = names.filter(
      (name) => isNow(values[name], since) || !isAlike(values[name], others[name]),
    );
    return { values, momentary: new Set(momentary) };
  } catch {
    return NONE;
  }
}

const NONE: InitialValues = { values: {}, momentary: new Set() };

function construct(type: AnyClass): object {
  return Reflect.construct(type, []) as object;
}

function isAlike(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(asJson(one)) === JSON.stringify(asJson(other));
}

/** Compared by the second: a class may drop the milliseconds. */
function isNow(value: unknown, since: number): boolean {
  const time =
    value instanceof Date || typeof value === 'string' || typeof value === 'number'
      ? new Date(value).getTime()
      : NaN;
  return time >= since - (since % 1000) && time <= Date.now();
}

/** A value as JSON; `undefined` if JSON has no such value, as of an object that contains itself. */
export function asJson(value: unknown, around: readonly unknown[] = []): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (around.includes(value)) return undefined;
  const inside = [...around, value];
  if (value instanceof Set) return asJson([...value], inside);
  if (value instanceof Map) return asJson(Object.fromEntries(value), inside);
  if (Array.isArray(value)) {
    const items = value.map((item) => asJson(item, inside));
    return items.some((item) => item === undefined) ? undefined : (items as JsonValue[]);
  }
  if (!isJsonObject(value)) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    const json = asJson(member, inside);
    if (json === undefined) return undefined;
    entries.push([key, json]);
  }
  return Object.fromEntries(entries);
}
