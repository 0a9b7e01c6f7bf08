import type { FileBlock, ImageBlock, ResultContent, TextBlock } from '../../message';
import { wellFormed } from '../../model/history';

/** A block of content as MCP sends it. @see https://modelcontextprotocol.io/specification */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    };

/** A result or a message in the blocks of MCP. */
export function mcpContentOf(content: ResultContent): readonly McpContent[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((block, index) => mcpBlockOf(block, index));
}

function mcpBlockOf(block: TextBlock | ImageBlock | FileBlock, index: number): McpContent {
  if (block.type === 'text') return { type: 'text', text: block.text };
  const { mediaType, data, url } = block;
  const name = (block.type === 'file' ? block.name : undefined) ?? `${block.type}-${index + 1}`;
  if (data === undefined) {
    return {
      type: 'resource_link',
      uri: url ?? '',
      name,
      ...(mediaType !== undefined && { mimeType: mediaType }),
    };
  }
  const mimeType = mediaType ?? 'application/octet-stream';
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  const uri = `attachment://${encodeURIComponent(wellFormed(name))}`;
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}
