import { canonicalJson, shortHash } from '../../../internal';
import type { RemoteTool } from './remote-tool';

/** Names of the registry that are kept at most; further ones count as changed. */
const MOST = 10_000;
const DIGITS = 32;

/**
 * Remembers each tool as it was first listed under a name of the registry. A server may show a
 * harmless tool to the person who allows it, and change it afterwards, or put another one, whose own
 * name becomes the same in the registry, in its place.
 */
export class FirstSeenTools {
  private readonly digests = new Map<string, string>();

  /**
   * Whether the server's own name, the description or a schema differs from the first time.
   *
   * @param registered the whole name in the registry
   */
  isChanged(registered: string, tool: RemoteTool): boolean {
    const { name, title, description, inputSchema, outputSchema } = tool;
    const digest = shortHash(
      canonicalJson([name, title, description, inputSchema, outputSchema]),
      DIGITS,
    );
    const first = this.digests.get(registered);
    if (first !== undefined) return first !== digest;
    if (this.digests.size >= MOST) return true;
    this.digests.set(registered, digest);
    return false;
  }
}
