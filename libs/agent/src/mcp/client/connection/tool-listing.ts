import { isJsonObject } from '../../../message';
import type { PeerClient, PeerMessage, PeerSchema } from '../peer';

/** Pages that are read at most, for servers whose cursors never end. */
const MAX_PAGES = 100;
const RAW_TOOLS = 'nestjs-agent/tools';

export interface Listing {
  /** The tools as the server sent them, unchecked. */
  readonly tools: readonly unknown[];
  /** Whether there were more. */
  readonly isCut: boolean;
}

export interface ListingLimits {
  readonly timeoutMs: number;
  readonly maxTools: number;
  /** Whether a tool of this name counts. */
  readonly isWanted: (name: string) => boolean;
}

const ANYTHING: PeerSchema = {
  '~standard': { version: 1, vendor: 'nestjs-agent', validate: (value) => ({ value }) },
};

/**
 * Moves a page's tools to a place that the client does not check. It would refuse a whole page
 * because of one bad tool; they are checked one by one instead.
 */
export function withRawTools({ result }: PeerMessage): void {
  if (typeof result !== 'object' || result === null) return;
  const page = result as Record<string, unknown>;
  if (!Array.isArray(page['tools'])) return;
  page[RAW_TOOLS] = page['tools'];
  page['tools'] = [];
}

/** All pages of a server's tools. */
export async function listedTools(
  client: Pick<PeerClient, 'request'>,
  { timeoutMs, maxTools, isWanted }: ListingLimits,
): Promise<Listing> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, ANYTHING, {
      timeout: timeoutMs,
    });
    const { [RAW_TOOLS]: listed, nextCursor } = isJsonObject(result) ? result : {};
    for (const tool of Array.isArray(listed) ? (listed as readonly unknown[]) : []) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue;
      if (!isWanted(tool['name'])) continue;
      if (tools.length === maxTools) return { tools, isCut: true };
      tools.push(tool);
    }
    if (typeof nextCursor !== 'string' || nextCursor === '') return { tools, isCut: false };
    if (nextCursor === cursor) return { tools, isCut: true };
    cursor = nextCursor;
  }
  return { tools, isCut: true };
}
