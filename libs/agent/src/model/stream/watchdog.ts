import { ModelError } from '../model-error';
import { abortError, LONGEST_TIMER_MS } from '../../internal';

/**
 * How long a model may stay silent, in milliseconds; `false` waits forever. A longer silence fails
 * the call with `model_timeout`.
 *
 * @example
 * const timeouts: ModelTimeouts = { connectMs: 10_000, firstEventMs: false };
 */
export interface ModelTimeouts {
  /** Until the response begins; 60 000 by default. */
  readonly connectMs?: number | false;
  /** From there until the first event; 120 000 by default. */
  readonly firstEventMs?: number | false;
  /** Between any two pieces of the stream after that; 60 000 by default. */
  readonly betweenEventsMs?: number | false;
}

export const DEFAULT_TIMEOUTS: Required<ModelTimeouts> = {
  connectMs: 60_000,
  firstEventMs: 120_000,
  betweenEventsMs: 60_000,
};

/**
 * Guards one attempt: its signal aborts when the caller's does, or when the model stays silent for
 * too long. The caller's signal outlives many attempts, so the listener on it must go with each.
 */
export class Watchdog {
  private readonly controller = new AbortController();
  private readonly onParentAbort = () => this.controller.abort(this.parent.reason);
  private timer: NodeJS.Timeout | undefined;
  private isRefreshed = true;
  private timeout: ModelError | undefined;

  /** @param subject begins the error's message, such as `The model gpt-5` */
  constructor(
    private readonly subject: string,
    private readonly parent: AbortSignal,
  ) {
    if (parent.aborted) this.onParentAbort();
    else parent.addEventListener('abort', this.onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Restarts the clock, for an event within this many milliseconds.
   *
   * @param omission continues the error's message if the event is late
   */
  expect(omission: string, withinMs: number | false, { isRefreshed = true } = {}): void {
    this.isRefreshed = isRefreshed;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (withinMs === false) return;
    const onSilence = (): void => {
      this.timeout = new ModelError(
        'model_timeout',
        `${this.subject} ${omission} within ${withinMs} ms.`,
      );
      this.controller.abort(this.timeout);
    };
    this.timer = setTimeout(onSilence, Math.min(withinMs, LONGEST_TIMER_MS));
  }

  /** Data arrived: restarts the current clock, unless it waits for something more specific. */
  refresh(): void {
    if (this.isRefreshed) this.timer?.refresh();
  }

  /** Throws the reason if the attempt was ended. */
  throwIfEnded(): void {
    if (this.timeout !== undefined) throw this.timeout;
    if (this.parent.aborted) throw abortError(this.parent);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.parent.removeEventListener('abort', this.onParentAbort);
  }
}
