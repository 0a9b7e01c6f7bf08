import { isJsonObject, type JsonValue } from '../message';

/** JSON text that is the same for the same value, whatever order its keys were written in. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
    return `{${members.join(',')}}`;
  }
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue | undefined) => canonicalJson(item ?? null)).join(',')}]`;
  }
  return JSON.stringify(value);
}
