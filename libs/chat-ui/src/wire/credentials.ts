import type { HeaderRefresh, HeaderSource, RequestHeaders } from '../../public/agent-chat.mjs';

/** The headers of the requests, and their renewal. */
export class Credentials {
  refresh: HeaderRefresh | undefined;
  private own: HeaderSource | undefined;
  private renewing: Promise<boolean> | undefined;
  /** Another number for each time that they changed. */
  version = 0;

  constructor(
    private readonly byDefault: () => HeaderSource,
    /** Called where the server wants a log-in, and no renewal helped. */
    readonly onUnauthorized: (message: string) => void,
  ) {}

  get source(): HeaderSource {
    return this.own ?? this.byDefault();
  }
  set source(value: HeaderSource | undefined) {
    this.own = value;
    this.changed();
  }

  changed(): void {
    this.version += 1;
  }

  async headers(): Promise<RequestHeaders> {
    const { source } = this;
    return typeof source === 'function' ? await source() : source;
  }

  /**
   * Answers whether others than those of `version`, which the server refused, can be tried. All
   * requests that are refused at the same time share one renewal.
   */
  async renew(version: number): Promise<boolean> {
    if (version !== this.version) return true;
    if (this.refresh === undefined) return false;
    this.renewing ??= this.ask(this.refresh).finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  private async ask(refresh: HeaderRefresh): Promise<boolean> {
    try {
      this.source = (await refresh()) ?? this.own;
      return true;
    } catch {
      // It could not be renewed, so the server's refusal is final.
      return false;
    }
  }
}
