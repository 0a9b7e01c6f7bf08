import type { TraceIds } from '../../../telemetry';

/** Events of a run between the processes that accept it and the workers. */
export type QueueEntry =
  | {
      /** The run waits for a worker: it starts, continues after answers, or was returned. */
      readonly type: 'run.queued';
      /** Counts the run's stays in the queue from 1: at the start, and at each continuation. */
      readonly attempt: number;
      /** Set if the worker died; missing if no worker had the run or it returned the run. */
      readonly isAbandoned?: true;
      /** The request's span; missing without one, and if a worker returned the run. */
      readonly requestedIn?: TraceIds;
      /** The run's own span, if its worker returned it. */
      readonly trace?: TraceIds;
    }
  | {
      /** A worker executes the run from here on. */
      readonly type: 'run.taken';
    }
  | {
      /** The events with these numbers are void: their step was interrupted and is repeated. */
      readonly type: 'step.discarded';
      /** The first number. */
      readonly from: number;
      /** The last number; some may never have been sent. */
      readonly to: number;
    };

/** A run's state in the queue. */
export interface QueuedState {
  /** The number of its current stay. */
  readonly attempt: number;
  /** When its current wait began; ISO 8601. */
  readonly at?: string;
  /** How many workers have taken it up since its last finished step. */
  readonly takes: number;
  /** Why it waits again in the same stay: its worker died, or returned it. */
  readonly again?: 'abandoned' | 'returned';
  /** Set if the run continued in the process of a request, and no worker has taken it since. */
  readonly isLeft?: true;
}

/** Whether workers execute the run: if its process dies, another one continues it. */
export function isOfWorkers({ queued }: { readonly queued?: QueuedState }): boolean {
  return queued !== undefined && queued.isLeft !== true;
}

/** @param queued missing before the first stay */
export function applyToQueued(
  queued: QueuedState | undefined,
  entry: { readonly type: string } | QueueEntry,
): QueuedState | undefined {
  if (isEntry(entry, 'run.queued')) {
    const { attempt, isAbandoned } = entry;
    const { at } = entry as { readonly at?: string };
    return {
      attempt,
      ...(at !== undefined && { at }),
      takes: isAbandoned ? (queued?.takes ?? 0) : 0,
      ...(attempt === queued?.attempt && { again: isAbandoned ? 'abandoned' : 'returned' }),
    };
  }
  if (queued === undefined) return undefined;
  if (isEntry(entry, 'run.taken')) return { ...queued, takes: queued.takes + 1 };
  if (entry.type === 'run.resumed') return { ...queued, isLeft: true };
  return entry.type === 'step.finished' ? { ...queued, takes: 0 } : queued;
}

function isEntry<Type extends QueueEntry['type']>(
  entry: { readonly type: string },
  type: Type,
): entry is Extract<QueueEntry, { type: Type }> {
  return entry.type === type;
}
