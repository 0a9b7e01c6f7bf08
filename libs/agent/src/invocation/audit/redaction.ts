import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { MASK } from '../../schema';

/** Names that are always redacted. */
const ALWAYS = ['authorization', 'cookie', 'password', 'secret', 'token', 'apikey', 'api_key'];

/** A copy of arguments with redacted values; names match regardless of case. */
export function redacted(input: JsonObject, names: readonly string[] = []): JsonObject {
  const hidden = new Set([...ALWAYS, ...names].map((name) => name.toLowerCase()));
  return redactedObject(input, hidden);
}

function redactedObject(object: JsonObject, hidden: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      hidden.has(key.toLowerCase()) ? MASK : redactedValue(value, hidden),
    ]),
  );
}

function redactedValue(value: JsonValue, hidden: ReadonlySet<string>): JsonValue {
  if (isJsonObject(value)) return redactedObject(value, hidden);
  return Array.isArray(value) ? value.map((item: JsonValue) => redactedValue(item, hidden)) : value;
}
