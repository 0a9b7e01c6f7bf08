import { isJsonObject, type JsonObject } from '../../message';
import type { ToolDefinition } from '../../tool';
import { lenientJsonIn, readArguments, unfenced } from '../tool-calls';

export interface TextCall {
  readonly name: string;
  readonly input: JsonObject;
  /** The arguments, if they are a text that is not JSON. */
  readonly text?: string;
}

/**
 * The calls that a piece of JSON asks for, under any of the names that models give the fields;
 * `undefined` if it asks for none.
 */
export function callsIn(text: string): readonly TextCall[] | undefined {
  const value = lenientJsonIn(unfenced(text));
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  const calls = items.map(callOf);
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

/** The name by which common frameworks mark the final answer, in the form of a call. */
const ANSWER = /^(?:final[ _]?answer|finish)$/i;

/** The answer in the form of calls; `undefined` if the calls are of tools. */
export function answerIn(calls: readonly TextCall[], offered: Offered): string | undefined {
  const [call] = calls;
  if (call === undefined || calls.length > 1) return undefined;
  if (offered.has(call.name) || !ANSWER.test(call.name)) return undefined;
  const said = call.text ?? Object.values(call.input).find((value) => typeof value === 'string');
  return said ?? JSON.stringify(call.input);
}

/** The tools on offer, each with the name of its text parameter if that is its only one. */
export type Offered = ReadonlyMap<string, string | undefined>;

/**
 * The tools by their names. A tool with a single text parameter can be called with the plain text,
 * as in the paper and in common frameworks.
 */
export function offeredTools(tools: readonly ToolDefinition[]): Offered {
  return new Map(
    tools.map(({ name, input_schema: { properties = {} } }) => {
      const [parameter, ...others] = Object.entries(properties);
      const isText = others.length === 0 && parameter?.[1].type === 'string';
      return [name, isText ? parameter?.[0] : undefined];
    }),
  );
}

/** A call with only a text; `undefined` if the tool has other parameters. */
export function callWithText(name: string, text: string, offered: Offered): TextCall | undefined {
  const parameter = offered.get(name);
  if (parameter === undefined) return undefined;
  const quoted = /^(["'`])([^]*)\1$/.exec(text.trim())?.[2];
  return { name, input: { [parameter]: quoted ?? text.trim() } };
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
  if (read.malformedInput === undefined) return { name, input: read.input };
  return ANSWER.test(name) ? { name, input: {}, text: input } : undefined;
}

function field(value: JsonObject, names: readonly string[]): unknown {
  const name = names.find((one) => Object.hasOwn(value, one));
  return name === undefined ? undefined : value[name];
}
