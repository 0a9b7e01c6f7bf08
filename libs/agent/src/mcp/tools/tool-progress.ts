import { isJsonObject, type JsonObject, type JsonValue } from '../../message';

/** The most notifications in any second. */
const PER_SECOND = 10;

/**
 * A tool's progress as MCP's notifications: rising, and at most ten in any second. Further ones are
 * dropped.
 */
export class ToolProgress {
  private last = -Infinity;
  /** When the last ten notifications were sent, the oldest first. */
  private readonly sentAt: number[] = [];

  /**
   * @param token the client's token for progress
   * @param notify sends a notification's parameters
   */
  constructor(
    private readonly token: string | number,
    private readonly notify: (params: JsonObject) => void,
  ) {}

  /** Reads `progress`, `total` and `message`; other values count as one step. */
  emit(data: JsonValue): void {
    const said = isJsonObject(data) ? data : {};
    const { progress, total, message = typeof data === 'string' ? data : undefined } = said;
    const isOwn = typeof progress === 'number' && Number.isFinite(progress);
    const next = isOwn ? progress : Math.max(this.last, 0) + 1;
    if (next <= this.last || !this.takesOne()) return;
    this.last = next;
    this.notify({
      progressToken: this.token,
      progress: next,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message: message.slice(0, 1_000) }),
    });
  }

  private takesOne(): boolean {
    const now = performance.now();
    const tenth = this.sentAt.at(-PER_SECOND);
    if (tenth !== undefined && now - tenth < 1_000) return false;
    this.sentAt.push(now);
    if (this.sentAt.length > PER_SECOND) this.sentAt.shift();
    return true;
  }
}
