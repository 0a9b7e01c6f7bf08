import { jsonValueOf } from '../../invocation';
import {
  type FileBlock,
  isJsonObject,
  type JsonObject,
  type ResultContent,
  resultText,
} from '../../message';
import { ToolResult, type ToolResponse } from '../../tool';
import { type McpContent, mcpContentOf } from '../protocol';

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
  const sent = mcpContentOf(content);
  const blocks = [...sent, ...describedFiles(content, sent)];
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

/**
 * A text that names the files of a result without texts: many clients keep embedded resources from
 * their model, which would read an empty result.
 */
function describedFiles(
  content: ResultContent,
  sent: readonly McpContent[],
): readonly McpContent[] {
  if (typeof content === 'string' || content.some(({ type }) => type === 'text')) return [];
  const labels = content.flatMap((block, index) =>
    block.type === 'file' && sent[index]?.type === 'resource' ? [labelOf(block)] : [],
  );
  return labels.length === 0 ? [] : [{ type: 'text', text: labels.join('\n') }];
}

/** Such as `[file bill.pdf: application/pdf, 51200 bytes]`. */
function labelOf({ name, mediaType = 'unknown type', data = '' }: FileBlock): string {
  const file = name === undefined ? 'file' : `file ${name}`;
  return `[${file}: ${mediaType}, ${Buffer.byteLength(data, 'base64')} bytes]`;
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
