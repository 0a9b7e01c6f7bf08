import { isJsonObject, type JsonObject, type JsonValue } from '../../message';

/** Notifications in the first burst, and per second afterwards. */
const PER_SECOND = 10;

/**
 * A tool's progress as MCP's notifications: rising, and at most ten in a second. Further ones are
 * dropped.
 */
export class ToolProgress {
  private last = -Infinity;
  private allowance = PER_SECOND;
  private refilledAt = performance.now();

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
    const refill = ((now - this.refilledAt) / 1_000) * PER_SECOND;
    this.allowance = Math.min(PER_SECOND, this.allowance + refill);
    this.refilledAt = now;
    if (this.allowance < 1) return false;
    this.allowance -= 1;
    return true;
  }
}
