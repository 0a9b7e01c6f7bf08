import { withFallback } from '../../internal';
import type { AnyClass } from './class-type';
import { isJsonObject, type JsonValue } from '../../message';

interface InitialValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** Properties whose values differ between instances: random ones, or the time. */
  readonly momentary: ReadonlySet<string>;
  /** The properties with a value that its JSON has, too: others of a Sequelize model are the ORM's own. */
  readonly listed: readonly string[];
}

/**
 * The values of a new instance's property initialisers; none for a constructor that fails without
 * arguments.
 */
export function initialValuesOf(type: AnyClass): InitialValues {
  try {
    const since = Date.now();
    const made = construct(type);
    const values: Readonly<Record<string, unknown>> = { ...made };
    const names = Object.keys(values);
    if (names.length === 0) return NONE;
    const others: Readonly<Record<string, unknown>> = { ...construct(type) };
    const momentary = names.filter(
      (name) => isNow(values[name], since) || !isAlike(values[name], others[name]),
    );
    const valued = names.filter((name) => values[name] !== undefined);
    return { values, momentary: new Set(momentary), listed: inJson(made, valued) };
  } catch {
    return NONE;
  }
}

const NONE: InitialValues = { values: {}, momentary: new Set(), listed: [] };

function construct(type: AnyClass): object {
  return Reflect.construct(type, []) as object;
}

function inJson(made: object, names: readonly string[]): readonly string[] {
  const { toJSON } = made as { readonly toJSON?: unknown };
  if (typeof toJSON !== 'function') return names;
  try {
    const json = Object(toJSON.call(made)) as object;
    return names.filter((name) => name in json);
  } catch {
    // An instance without values may have no JSON.
    return names;
  }
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

/** The most parts of a value that is shown: objects of an ORM may reach whole graphs of others. */
const MOST_PARTS = 1_000;

/**
 * A value as JSON; `undefined` if JSON has no such value, as of an object that contains itself or has a
 * getter that fails, or if it is huge.
 */
export function asJson(value: unknown): JsonValue | undefined {
  return withFallback(() => jsonOf(value, [], { left: MOST_PARTS }), undefined);
}

function jsonOf(
  value: unknown,
  around: readonly unknown[],
  parts: { left: number },
): JsonValue | undefined {
  parts.left -= 1;
  if (parts.left < 0) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (around.includes(value)) return undefined;
  const inside = [...around, value];
  if (value instanceof Set) return jsonOf([...value], inside, parts);
  if (value instanceof Map) return jsonOf(Object.fromEntries(value), inside, parts);
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    const json = jsonOf(member, inside, parts);
    if (json === undefined) return undefined;
    entries.push([key, json]);
  }
  return Array.isArray(value) ? entries.map(([, json]) => json) : Object.fromEntries(entries);
}
