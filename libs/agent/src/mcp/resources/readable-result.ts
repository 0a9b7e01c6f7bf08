import { HttpException, StreamableFile } from '@nestjs/common';
import { isObservable } from 'rxjs';
import { MAX_RESPONSE_BYTES } from '../../invocation';
import { RouteResponseError, type Tool, ToolError, ToolResult } from '../../tool';

/** The code of the failure "there is no such resource". */
export const RESOURCE_NOT_FOUND = 'resource_not_found';

/**
 * Wraps a resource's tool so that its result can be read whole: a streamed file becomes its bytes,
 * and "not found" of the application becomes the protocol's.
 */
export function withReadableResult(tool: Tool): Tool {
  return {
    ...tool,
    invoke: async (invocation) => {
      try {
        const result = await tool.invoke(invocation);
        return !isObservable(result) && result instanceof StreamableFile
          ? await fileOf(result)
          : result;
      } catch (error) {
        throw isNotFound(error)
          ? new ToolError('Resource not found', { code: RESOURCE_NOT_FOUND, cause: error })
          : error;
      }
    },
  };
}

function isNotFound(error: unknown): boolean {
  if (error instanceof HttpException) return error.getStatus() === 404;
  return error instanceof RouteResponseError && error.status === 404;
}

async function fileOf(file: StreamableFile): Promise<ToolResult> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.getStream()) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    chunks.push(bytes);
    length += bytes.length;
    if (length > MAX_RESPONSE_BYTES) {
      throw new ToolError(`The file is larger than ${MAX_RESPONSE_BYTES} bytes.`);
    }
  }
  const data = Buffer.concat(chunks).toString('base64');
  return new ToolResult([{ type: 'file', mediaType: file.getHeaders().type, data }]);
}
