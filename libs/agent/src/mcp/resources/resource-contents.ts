import { resultContentOf } from '../../invocation';
import { ToolResult } from '../../tool';
import { assertSize } from '../offers';

/** A part of a resource's content: text, or bytes in base64. */
export type McpResourceContents =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

const BINARY = 'application/octet-stream';
const JSON_TYPE = 'application/json';
const ADDRESSES = 'text/uri-list';

/**
 * The result of a resource's method, as contents.
 *
 * @param mimeType the declared media type
 * @throws RpcError if it is too large
 */
export function contentsOf(
  uri: string,
  result: unknown,
  mimeType?: string,
): readonly McpResourceContents[] {
  const contents = unbounded(uri, result, mimeType);
  assertSize(
    {
      texts: contents.flatMap((content) => ('text' in content ? [content.text] : [])),
      files: contents.flatMap((content) => ('blob' in content ? [content.blob] : [])),
    },
    'resource',
  );
  return contents;
}

function unbounded(
  uri: string,
  result: unknown,
  mimeType?: string,
): readonly McpResourceContents[] {
  const text = (words: string, type = mimeType): McpResourceContents => ({
    uri,
    ...(type !== undefined && { mimeType: type }),
    text: words,
  });
  if (result === undefined) return [text('')];
  if (result instanceof Uint8Array) {
    const blob = Buffer.from(result.buffer, result.byteOffset, result.length).toString('base64');
    return [{ uri, mimeType: mimeType ?? BINARY, blob }];
  }
  const { content } = resultContentOf(result);
  if (typeof content === 'string') {
    const isText = typeof result === 'string' || result instanceof ToolResult;
    return [text(content, isText ? mimeType : (mimeType ?? JSON_TYPE))];
  }
  return content.map((block) => {
    if (block.type === 'text') return text(block.text);
    if (block.data === undefined) return text(block.url ?? '', ADDRESSES);
    return { uri, mimeType: block.mediaType ?? mimeType ?? BINARY, blob: block.data };
  });
}
