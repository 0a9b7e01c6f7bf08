import { withFallback } from '../../../internal';
import { isJsonObject, type JsonValue } from '../../../message';
import { SchemaValidator } from '../../../schema';
import { AgentError, ToolResult } from '../../../tool';
import { isAffordable, withoutExpressions, type RemoteTool } from '../tools';
import { contentOf } from './result-blocks';

const UNREADABLE = '[The tool answered, but its result does not fit its schema and was left out.]';

interface ResultReading {
  readonly isReadOnly: boolean;
  /** Masks credentials: a server may echo those that it received. */
  readonly mask: (text: string) => string;
}

/**
 * The result of a call for the model. Structured content is checked against the tool's schema, and
 * used if there is no other content.
 *
 * @param warn logs that the result does not fit
 * @throws AgentError `invalid_output` if a read-only tool has no other content; a tool with effects
 *   is not reported as failed
 */
export function toolResultOf(
  answer: unknown,
  { outputSchema }: RemoteTool,
  { isReadOnly, mask }: ResultReading,
  warn: () => void,
): ToolResult {
  const { content: sent, structuredContent, isError } = isJsonObject(answer) ? answer : {};
  const content = contentOf(sent, mask);
  const isEmpty = content.length === 0;
  if (isError === true) {
    return new ToolResult(isEmpty ? 'The tool failed and gave no reason.' : content, true);
  }
  const nothing = isReadOnly ? '(empty)' : 'Done';
  const isWrong = structuredContent !== undefined && !fits(structuredContent, outputSchema);
  if (isWrong) warn();
  if (!isEmpty || structuredContent === undefined) {
    return new ToolResult(isEmpty ? nothing : content);
  }
  // Nothing can write a value that is nested too deeply.
  const text = isWrong
    ? undefined
    : withFallback(() => JSON.stringify(structuredContent), undefined);
  if (text !== undefined) return new ToolResult(mask(text));
  if (!isReadOnly) return new ToolResult(UNREADABLE);
  throw new AgentError('invalid_output', 'The result of the tool does not fit its schema.');
}

function fits(value: JsonValue, schema: RemoteTool['outputSchema']): boolean {
  if (schema === undefined) return true;
  try {
    const isChecked = isAffordable(value, schema);
    return !isChecked || new SchemaValidator(withoutExpressions(schema)).check(value).length === 0;
  } catch {
    // A result cannot be judged by an unusable schema.
    return true;
  }
}
