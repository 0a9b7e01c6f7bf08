import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isJsonObject } from '../../../message';
import { rawList } from './received-message';
import { bytesOf } from './response-bounds';

/** Maximum number of pages, for servers whose cursors never end. */
const MAX_PAGES = 100;
/** The most bytes of a server's tools together, before each is checked. */
const MAX_BYTES = 32 * 1_048_576;

export interface Listing {
  /** The tools as the server sent them, unchecked. */
  readonly tools: readonly unknown[];
  /** Whether the server has more tools. */
  readonly isCut: boolean;
}

interface ListingLimits {
  /** The time for all pages together. */
  readonly timeoutMs: number;
  readonly maxTools: number;
  /** Whether to count a tool of this name. */
  readonly isWanted: (name: string) => boolean;
}

const ANYTHING: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'nestjs-agent', validate: (value) => ({ value }) },
};

/** All pages of a server's tools. */
export async function listedTools(
  client: Client,
  { timeoutMs, maxTools, isWanted }: ListingLimits,
): Promise<Listing> {
  const tools: unknown[] = [];
  let bytes = 0;
  let cursor: string | undefined;
  const endsAt = performance.now() + timeoutMs;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, ANYTHING, {
      timeout: Math.max(1, endsAt - performance.now()),
    });
    const { nextCursor } = isJsonObject(result) ? result : {};
    for (const tool of rawList(result, 'tools')) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue;
      if (!isWanted(tool['name'])) continue;
      bytes += bytesOf(tool);
      if (tools.length === maxTools || bytes > MAX_BYTES) return { tools, isCut: true };
      tools.push(tool);
    }
    if (typeof nextCursor !== 'string' || nextCursor === '') return { tools, isCut: false };
    if (nextCursor === cursor) return { tools, isCut: true };
    cursor = nextCursor;
  }
  return { tools, isCut: true };
}
