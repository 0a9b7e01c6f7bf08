import { ToolResult, type ToolResponse } from '../../tool';
import { type McpContent, mcpContentOf } from '../protocol';

/** The result of `tools/call`. */
export interface CallResult {
  readonly content: readonly McpContent[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
}

/** A structured result is never cut, so it is bounded as a whole. */
const MAX_STRUCTURED_BYTES = 1_048_576;

/** @param isStructured whether the tool publishes a schema of its results */
export function callResultOf(
  { status, content = '', result }: ToolResponse,
  isStructured: boolean,
): CallResult {
  const blocks = mcpContentOf(content);
  if (status !== 'executed') return { content: blocks, isError: true };
  if (!isStructured || !isPlainObject(result)) return { content: blocks };
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes > MAX_STRUCTURED_BYTES) {
    return errorResult(
      `The tool ran, but its result of ${bytes} bytes is larger than ${MAX_STRUCTURED_BYTES}. Ask for less.`,
    );
  }
  return { content: blocks, structuredContent: result };
}

/** An error that the model reads. */
export function errorResult(text: string): CallResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function isPlainObject(result: unknown): result is object {
  return (
    typeof result === 'object' &&
    result !== null &&
    !Array.isArray(result) &&
    !(result instanceof ToolResult)
  );
}
