import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** The stages of a call, in order; a route's interceptors and pipes are part of its handler. */
type CallStage =
  | 'checks'
  | 'middleware'
  | 'guards'
  | 'interceptors'
  | 'pipes'
  | 'handler'
  | 'filters'
  | 'answer';

export interface WatchedStage {
  readonly stage: CallStage;
  /** The class or method, as far as it is known. */
  readonly by?: string;
  readonly durationMs: number;
  /** Set on the stage in which the call failed. */
  readonly isFailed?: true;
}

/** The stages of one call, each from its beginning to the beginning of the next one. */
export class WatchedCall {
  /** Those that have ended. */
  readonly stages: WatchedStage[] = [];
  private open:
    | { readonly stage: CallStage; readonly by?: string; readonly at: number }
    | undefined;
  /** The status of the error that a route's handler ended with. */
  failedStatus?: number;

  /** @param principal the call's principal */
  constructor(readonly principal: string | undefined) {}

  /** Ends the stage before. */
  enter(stage: CallStage, by?: string): void {
    this.leave();
    this.open = { stage, at: performance.now(), ...(by !== undefined && { by }) };
  }

  /** The call fails in the open stage; nothing if it has failed there already. */
  fail(by?: string): void {
    this.leave(true, by);
  }

  leave(isFailed = false, by = this.open?.by): void {
    const { open } = this;
    if (open === undefined) return;
    this.open = undefined;
    this.stages.push({
      stage: open.stage,
      ...(by !== undefined && { by }),
      durationMs: performance.now() - open.at,
      ...(isFailed && { isFailed }),
    });
  }
}

/** As many watched calls may wait for an approval, as long as calls outside runs do. */
const MAX_CALLS = 1_000;
const MAX_AGE_MS = 3_600_000;

/** Calls whose stages are watched, by their ids; other calls cost one look-up. */
@Injectable()
export class CallWatches {
  private readonly calls = new LRUCache<string, WatchedCall>({
    max: MAX_CALLS,
    ttl: MAX_AGE_MS,
    perf: { now: () => performance.now() },
  });

  begin(callId: string, principal: string | undefined): WatchedCall {
    const watched = new WatchedCall(principal);
    this.calls.set(callId, watched);
    return watched;
  }

  of(callId: string): WatchedCall | undefined {
    return this.calls.size === 0 ? undefined : this.calls.get(callId);
  }

  end(callId: string): void {
    this.calls.delete(callId);
  }
}
