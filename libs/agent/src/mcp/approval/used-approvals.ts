import { SessionExistsError, type SessionStore } from '../../session';
import { CLOCK_LEEWAY_MS } from './approval-state';

/** Separate these records from conversations, including those of anonymous callers. */
const PREFIX = 'mcp-approval-';
const OWNER = 'nestjs-agent:mcp-approvals';
/** No agent's name: who removes all sessions of an agent leaves these records in place. */
const AGENT = OWNER;

/**
 * Marks an approval as used, once among all processes that share the session store: it creates an
 * empty session with the approval's id, which succeeds once. The session is removed when the
 * approval has expired; if the process dies earlier, the store's sweep removes it.
 */
export class UsedApprovals {
  /** The approvals used in this process, in case the store has lost its sessions. */
  private readonly own = new Map<string, NodeJS.Timeout>();

  constructor(private readonly store: Pick<SessionStore, 'create' | 'delete'>) {}

  /** @returns `false` if it has been used before */
  async use({ nonce, expiresAt }: { nonce: string; expiresAt: number }): Promise<boolean> {
    const id = PREFIX + nonce;
    if (this.own.has(nonce)) return false;
    try {
      await this.store.create({ id, owner: OWNER, agent: AGENT });
    } catch (error) {
      if (error instanceof SessionExistsError) return false;
      throw error;
    }
    const removal = setTimeout(
      () => {
        this.own.delete(nonce);
        // The sweep of the store removes a session that cannot be removed now.
        this.store.delete(id).catch(() => undefined);
      },
      Math.max(expiresAt - Date.now(), 0) + CLOCK_LEEWAY_MS,
    ).unref();
    this.own.set(nonce, removal);
    return true;
  }

  /** Cancels the pending removals. */
  close(): void {
    for (const removal of this.own.values()) clearTimeout(removal);
    this.own.clear();
  }
}
