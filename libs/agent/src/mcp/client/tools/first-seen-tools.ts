import { canonicalJson, shortHash } from '../../../internal';
import type { RemoteTool } from './remote-tool';
import { strictest, type Permission } from '../../../tool';

/** Maximum number of registry names to remember; further ones count as changed. */
const MOST = 10_000;
const DIGITS = 32;

/**
 * Remembers each tool as it was first listed under a name of the registry. A server may offer a
 * harmless tool until a user allows it, and then change it, or replace it by another tool whose
 * name becomes the same in the registry.
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

/** Raises a permission to at least `ask`: the tool has changed since it was allowed. */
export function askingAtLeast(permission: Permission): Permission {
  if (typeof permission !== 'function') return strictest(['ask', permission]);
  return async (call, ctx) => {
    const level = await permission(call, ctx);
    // A value that is no permission level denies, as for an unchanged tool.
    return level === 'allow' ? 'ask' : level;
  };
}
