import type { Logger } from '@nestjs/common';
import { codeOf } from './queue-errors';

const PROBE_MS = 1_000;

/** Logs one line at the start of an outage and one at its end, instead of every error. */
export class Outage {
  private probing: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param address the server's host and port
   * @param check resolves when the server takes jobs
   */
  constructor(
    private readonly logger: Logger,
    private readonly address: string,
    private readonly check: () => Promise<void>,
  ) {}

  report(error: unknown): void {
    if (this.closed || this.probing !== undefined) return;
    const code = codeOf(error);
    this.logger.error(
      `The queue of runs at ${this.address} cannot be reached${code === undefined ? '' : ` (${code})`}. New runs wait until it answers.`,
    );
    this.probe();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.probing);
  }

  private probe(): void {
    this.probing = setTimeout(() => {
      this.check().then(
        () => this.over(),
        () => !this.closed && this.probe(),
      );
    }, PROBE_MS).unref();
  }

  private over(): void {
    this.probing = undefined;
    if (!this.closed) this.logger.log(`The queue of runs at ${this.address} answers again.`);
  }
}
