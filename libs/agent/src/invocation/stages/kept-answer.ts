import type { ResultContent } from '../../message';
import { ToolResult } from '../../tool';
import { jsonText } from '../call';

/** A cached result. */
export interface KeptAnswer {
  /** Its size. */
  readonly chars: number;
  /** Creates a new copy. */
  readonly make: () => unknown;
}

/**
 * Stores a result as JSON in the model's form, so that calls share no objects and the first call
 * gets the same as later ones.
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
