import { jsonIn } from '../../internal';
import {
  isJsonObject,
  resultText,
  textOf,
  toolUsesOf,
  type JsonValue,
  type Message,
  type ToolResultBlock,
} from '../../message';
import type { Memory } from './argument.filler';
import { valuesIn } from './language';
import type { SettledCall } from './result.phrasing';

/** The facts about the current turn in a history. */
export interface Turn {
  /** The user's last message. */
  readonly ask: string;
  /** The calls made since, each with its result, in order. */
  readonly calls: readonly SettledCall[];
  /** The messages before it. */
  readonly earlier: readonly Message[];
  /** No answer was given yet in this conversation. */
  readonly isFirstReply: boolean;
}

/** The part of a message that is read. */
const MOST_CHARS = 2_000;

/**
 * A message as far as it is read. The patterns of the language take too long for much more text, and
 * for many blanks in a row.
 */
export function saidIn(message: Message): string {
  return textOf(message)
    .slice(0, MOST_CHARS)
    .replace(/[^\S\n]{4,}/g, '   ');
}

export function readTurn(messages: readonly Message[]): Turn {
  const start = messages.findLastIndex(
    (message) => message.role === 'user' && textOf(message) !== '',
  );
  const ask = messages[start];
  return {
    ask: ask === undefined ? '' : saidIn(ask),
    calls: callsIn(messages.slice(start + 1)),
    earlier: messages.slice(0, Math.max(start, 0)),
    isFirstReply: !messages.some(
      (message) => message.role === 'assistant' && textOf(message).trim() !== '',
    ),
  };
}

/** The calls of a history, each with its result, in order. */
export function callsIn(messages: readonly Message[]): readonly SettledCall[] {
  const results = resultsIn(messages);
  return messages.flatMap(toolUsesOf).map(({ id, name, input }) => {
    const { content = '', is_error: isError = false } = results.get(id) ?? {};
    return { name, input, content, isError };
  });
}

function resultsIn(messages: readonly Message[]): ReadonlyMap<string, ToolResultBlock> {
  const results = messages
    .flatMap(({ content }) => content)
    .filter((block) => block.type === 'tool_result');
  return new Map(results.map((result) => [result.tool_use_id, result]));
}

/** The names that the conversation mentioned, and the meaning of `it`. */
export function memoryOf(messages: readonly Message[]): Memory {
  const known = new Set<string>();
  for (const { content } of resultsIn(messages).values()) {
    // A result that is not JSON contains no certain names.
    const value = jsonIn(resultText(content)) as JsonValue | undefined;
    if (value !== undefined) collectNames(value, known);
  }
  return { known, recall: (parameter) => recall(messages, parameter) };
}

function collectNames(value: JsonValue, known: Set<string>, depth = 0): void {
  if (depth > 4 || known.size > 500) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collectNames(item, known, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      const isName = /^(?:name|id|key|slug|title)$|_id$|Id$/.test(key);
      if (isName && typeof field === 'string' && field.length > 2 && field.length < 80) {
        known.add(field);
      } else collectNames(field, known, depth + 1);
    }
  }
}

function recall(messages: readonly Message[], parameter: string): JsonValue | undefined {
  for (const message of [...messages].reverse()) {
    for (const call of [...toolUsesOf(message)].reverse()) {
      if (Object.hasOwn(call.input, parameter)) return call.input[parameter];
    }
  }
  for (const message of [...messages].reverse()) {
    if (message.role === 'system') continue;
    const said = message.role === 'user' ? saidIn(message) : '';
    const names = [
      ...toolUsesOf(message).flatMap(({ input }) =>
        Object.values(input).filter((value) => typeof value === 'string'),
      ),
      ...valuesIn(said)
        .filter(({ kind }) => kind === 'identifier')
        .map(({ text }) => text),
    ];
    if (names.length > 0) return names.at(-1);
  }
  return undefined;
}
