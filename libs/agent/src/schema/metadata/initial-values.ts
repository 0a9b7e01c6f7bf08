import type { AnyClass } from '../class-type';
import { isJsonObject, type JsonValue } from '../../message';

/**
 * The values that property initialisers give a new instance. A class whose constructor wants
 * arguments and fails without has none.
 */
export function initialValuesOf(type: AnyClass): Readonly<Record<string, unknown>> {
  try {
    return { ...(Reflect.construct(type, []) as object) };
  } catch {
    return {};
  }
}

/** A value in JSON's terms; `undefined` where JSON cannot say it. */
export function asJson(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (value instanceof Set) return asJson([...value]);
  if (value instanceof Map) return asJson(Object.fromEntries(value));
  if (Array.isArray(value)) {
    const items = value.map(asJson);
    return items.some((item) => item === undefined) ? undefined : (items as JsonValue[]);
  }
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, member]) => [key, asJson(member)] as const);
  return entries.some(([, member]) => member === undefined)
    ? undefined
    : (Object.fromEntries(entries) as JsonValue);
}
