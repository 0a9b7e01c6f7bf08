import type { TraceIds } from '../../../telemetry';

/**
 * The version of entries of queued runs. A release that does not know them would take a queued run
 * for one whose process died, so it must refuse the session.
 */
export const QUEUE_ENTRY_VERSION = 2;

/** What happens to a run between the processes that accept it and the workers. */
export type QueueEntry =
  | {
      /** The run waits for a worker: it starts, goes on after answers, or was given back. */
      readonly type: 'run.queued';
      /** Counts the run's stays in the queue from 1: the start, and each continuation. */
      readonly attempt: number;
      /** The worker died; missing where none had the run, or it gave the run back. */
      readonly isAbandoned?: true;
      /** The request's span; missing without one, and where its worker gave the run back. */
      readonly requestedIn?: TraceIds;
      /** The run's own span, if its worker gave it back. */
      readonly trace?: TraceIds;
    }
  | {
      /** A worker executes the run from here on. */
      readonly type: 'run.taken';
    }
  | {
      /** The events of these numbers are void: their step broke off, and is told anew. */
      readonly type: 'step.discarded';
      /** The first number. */
      readonly from: number;
      /** The last number; some may never have been told. */
      readonly to: number;
    };

const TYPES: ReadonlySet<string> = new Set<QueueEntry['type']>([
  'run.queued',
  'run.taken',
  'step.discarded',
]);

export function isQueueEntry({ type }: { readonly type: string }): boolean {
  return TYPES.has(type);
}

/** A run's way through the queue, so far. */
export interface QueuedState {
  /** The number of its present stay. */
  readonly attempt: number;
  /** When it last began to wait; ISO 8601. */
  readonly at?: string;
  /** How many workers have taken it up since its last finished step. */
  readonly takes: number;
  /** It went on in the process of a request, so that no worker has it since; missing otherwise. */
  readonly isLeft?: true;
}

/** Whether workers execute the run: another one goes on with it if its process dies. */
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
