import { jsonValueOf } from '../../invocation';
import { isJsonObject, type JsonObject, type ResultContent, resultText } from '../../message';
import { ToolResult, type ToolResponse } from '../../tool';
import { type McpContent, mcpContentOf } from '../protocol';

/** The result of `tools/call`. */
interface CallResult {
  readonly content: readonly McpContent[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
}

/** A structured result is never cut, so it is bounded as a whole. */
const MAX_STRUCTURED_BYTES = 1_048_576;

/** @param isStructured whether the tool publishes a schema of its results */
export function callResultOf(response: ToolResponse, isStructured: boolean): CallResult {
  const { status, content = '' } = response;
  const blocks = mcpContentOf(content);
  if (status !== 'executed') return { content: blocks, isError: true };
  if (!isStructured) return { content: blocks };
  const structuredContent = structuredOf(response);
  const bytes = Buffer.byteLength(JSON.stringify(structuredContent));
  if (bytes > MAX_STRUCTURED_BYTES) {
    return errorResult(
      `The tool ran, but its result of ${bytes} bytes is larger than ${MAX_STRUCTURED_BYTES}. Ask for less.`,
    );
  }
  return { content: blocks, structuredContent };
}

/** An error that the model reads. */
export function errorResult(text: string): CallResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * The result as the object that the schema announces. Clients refuse an answer without one,
 * although the tool ran, so any other value is put into a member.
 */
function structuredOf({ content = '', result }: ToolResponse): JsonObject {
  const value = isContent(content, result) ? resultText(content) : jsonValueOf(result ?? {});
  return isJsonObject(value) ? value : { result: value };
}

/** Whether the tool answered in content, to which no schema applies. */
function isContent(content: ResultContent, result: unknown): boolean {
  return typeof content !== 'string' || result instanceof ToolResult;
}
