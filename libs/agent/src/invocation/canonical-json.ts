import { isJsonObject, type JsonValue } from '../message';

/** JSON text that is the same for the same value, whatever order its keys were written in. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: JsonValue) =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}
