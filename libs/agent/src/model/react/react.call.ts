import { isJsonObject, type JsonObject } from '../../message';
import { readArguments, repairJson, unfenced } from '../stream';

export interface TextCall {
  readonly name: string;
  readonly input: JsonObject;
}

/**
 * The calls that a piece of JSON asks for, under any of the names that models give the fields;
 * `undefined` where it asks for none.
 */
export function callsIn(text: string): readonly TextCall[] | undefined {
  const value = parse(unfenced(text));
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  const calls = items.map(callOf);
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

function callOf(value: unknown): TextCall | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isJsonObject(value['function'])) return callOf(value['function']);
  const name = field(value, ['name', 'tool', 'tool_name', 'function', 'action']);
  if (typeof name !== 'string' || name === '') return undefined;
  const input = field(value, ['arguments', 'args', 'input', 'parameters', 'action_input']);
  if (input === undefined || input === null) return { name, input: {} };
  if (isJsonObject(input)) return { name, input };
  if (typeof input !== 'string') return undefined;
  const read = readArguments(input);
  return read.malformedInput === undefined ? { name, input: read.input } : undefined;
}

function field(value: JsonObject, names: readonly string[]): unknown {
  const name = names.find((one) => Object.hasOwn(value, one));
  return name === undefined ? undefined : value[name];
}

function parse(text: string): unknown {
  for (const candidate of [text, repairJson(text)]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The repaired form is tried next.
    }
  }
  return undefined;
}
