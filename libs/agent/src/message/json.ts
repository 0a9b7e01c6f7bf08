import { jsonIn } from '../internal';

/** Any value that JSON can represent. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object, such as the arguments of a tool. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Whether a value is an object in JSON's sense: neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object of a JSON text; `undefined` for any other text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isJsonObject(value) ? value : undefined;
}
