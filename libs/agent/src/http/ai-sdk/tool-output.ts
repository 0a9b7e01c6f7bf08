import { jsonIn } from '../../internal';
import type { JsonValue, ResultContent } from '../../message';

/** A tool's result for components: text that is a JSON object or array as that value. */
export function outputOf(content: ResultContent): JsonValue {
  if (typeof content !== 'string') return content as unknown as JsonValue;
  if (!/^\s*[[{]/.test(content)) return content;
  return (jsonIn(content) as JsonValue | undefined) ?? content;
}
