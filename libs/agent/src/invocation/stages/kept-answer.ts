import type { ResultContent } from '../../message';
import { ToolResult } from '../../tool';
import { jsonText } from '../call';

/** An answer that outlives its call. */
export interface KeptAnswer {
  /** What it takes to keep it. */
  readonly chars: number;
  /** Makes the answer anew, each time it is asked for. */
  readonly make: () => unknown;
}

/**
 * Keeps a tool's answer as the model reads it: as JSON, so that no call holds a part of what
 * another one gets, and the first call gets the same as those that are answered later.
 */
export function keptAnswer(value: unknown): KeptAnswer {
  if (value === undefined) return { chars: 0, make: () => undefined };
  if (value instanceof ToolResult) {
    const { chars, make } = keptAnswer(value.content);
    return { chars, make: () => new ToolResult(make() as ResultContent, value.isError) };
  }
  const text = jsonText(value);
  return { chars: text.length, make: () => JSON.parse(text) as unknown };
}
