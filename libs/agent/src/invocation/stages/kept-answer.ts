import type { ResultContent } from '../../message';
import { ToolResult } from '../../tool';
import { jsonText } from '../json-text';

/**
 * Keeps a tool's answer as the model reads it: as JSON, so that no call holds a part of what
 * another one gets, and the first call gets the same as those that are answered later.
 *
 * @returns what makes the answer anew, each time it is asked for
 */
export function keptAnswer(value: unknown): () => unknown {
  if (value === undefined) return () => undefined;
  if (value instanceof ToolResult) {
    const content = keptAnswer(value.content);
    return () => new ToolResult(content() as ResultContent, value.isError);
  }
  const text = jsonText(value);
  return () => JSON.parse(text) as unknown;
}
