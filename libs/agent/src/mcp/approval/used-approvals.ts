import { SessionExistsError, type SessionStore } from '../../session';

/** Keeps these records apart from conversations, also from those of anonymous callers. */
const PREFIX = 'mcp-approval-';
const OWNER = 'nestjs-agent:mcp-approvals';

/**
 * Uses an approval up, once among all processes that share the session store: an empty session
 * with the approval's id is created, which succeeds once. It is removed when the approval has
 * expired; if the process dies before, the store's own sweep removes it.
 */
export class UsedApprovals {
  /** Those used in this process, which the store may have lost with all conversations. */
  private readonly own = new Map<string, NodeJS.Timeout>();

  constructor(private readonly store: Pick<SessionStore, 'create' | 'delete'>) {}

  /** @returns `false` if it has been used before */
  async use({ nonce, expiresAt }: { nonce: string; expiresAt: number }): Promise<boolean> {
    const id = PREFIX + nonce;
    if (this.own.has(nonce)) return false;
    try {
      await this.store.create({ id, owner: OWNER });
    } catch (error) {
      if (error instanceof SessionExistsError) return false;
      throw error;
    }
    const removal = setTimeout(
      () => {
        this.own.delete(nonce);
        // The sweep of the store removes what cannot be removed now.
        this.store.delete(id).catch(() => undefined);
      },
      // Clocks of other processes may be behind.
      Math.max(expiresAt - Date.now(), 0) + 60_000,
    ).unref();
    this.own.set(nonce, removal);
    return true;
  }

  /** Removes nothing more. */
  close(): void {
    for (const removal of this.own.values()) clearTimeout(removal);
    this.own.clear();
  }
}
