import type {
  CallOutcome,
  FinishReason,
  JsonValue,
  Message,
  PendingAction,
  RunStatus,
  StopReason,
  ToolResultBlock,
  Usage,
} from '../../../message';
import type { RememberedTool } from '../../../tool';
import type { TraceIds } from '../../../telemetry';
import type { ActionAnswer, AnnouncedCall, StepTiming, StoredFailure } from './entry-parts';
import type { StoredPieces } from './pieces';
import type { QueueEntry } from './queue-entry';
import type { StoredAskedEvent } from './asked-events';

/**
 * The version of the entries that this release writes, and the newest that it reads. A new kind that older
 * releases must not skip takes the next one.
 */
export const ENTRY_VERSION = 1;

/**
 * One event of a session. The entries in order determine everything: the state of a session
 * (`sessionStateOf`) and the events for the readers of its runs. They never contain headers, cookies,
 * tokens or preset values.
 */
export type SessionEntry =
  | ({
      /** The run that the entry belongs to. */
      readonly runId: string;
    } & (
      | QueueEntry
      | {
          /** A message, such as the user's. */
          readonly type: 'message';
          /** The message; a model's complete answer is in `step.finished`. */
          readonly message: Message;
          /** The client's id of the message, if any. */
          readonly id?: string;
          /** The pieces in which an assistant's message was sent; one piece by default. */
          readonly pieces?: readonly StoredPieces[];
        }
      | {
          /** A run begins. */
          readonly type: 'run.started';
          /** The model's name in the module's options; missing for the default one. */
          readonly model?: string;
          /** The model's own name. */
          readonly modelName: string;
          /** The client's description of the user's environment, for the run's later requests. */
          readonly environmentContext?: readonly string[];
          /** The client's model settings, for the run's later requests. */
          readonly modelOptions?: Readonly<Record<string, number | string>>;
          /** ISO 8601. */
          readonly startedAt: string;
        }
      | {
          /** A call passed its checks and is about to run; written before it runs. */
          readonly type: 'call.started';
          /** The call. */
          readonly callId: string;
          /** For a frontend tool's call: the deadline for its result; ISO 8601. */
          readonly expiresAt?: string;
        }
      | {
          /** Progress of a running call; written together with the next entry. */
          readonly type: 'call.progressed';
          /** The call. */
          readonly callId: string;
          /** The progress value. */
          readonly data: JsonValue;
        }
      | {
          /** Events of an agent that a running call asked; written with the next entry. */
          readonly type: 'agent.told';
          /** The call of this run that asked it, perhaps through other agents. */
          readonly callId: string;
          /** The events for this run's readers, in order. */
          readonly told: readonly StoredAskedEvent[];
        }
      | {
          /** Tokens of an agent that a running call asked; written with the next entry. */
          readonly type: 'agent.spent';
          /** The call of this run that asked it, perhaps through other agents. */
          readonly callId: string;
          /** The model's own name. */
          readonly modelName: string;
          /** The tokens of one model call. */
          readonly usage: Usage;
        }
      | {
          /** A call has its only result. */
          readonly type: 'call.settled';
          /** The result for the model. */
          readonly result: ToolResultBlock;
          /** Milliseconds that the tool took; 0 if it did not run. */
          readonly durationMs: number;
          /** The call's outcome. */
          readonly outcome: CallOutcome;
        }
      | {
          /** A notice for the user; the run continues. */
          readonly type: 'noticed';
          /** Stable, such as `attachment_not_seen`. */
          readonly code: string;
          /** Safe to show. */
          readonly message: string;
          /**
           * Attachments of messages from this position of the journal on are no longer sent, since a
           * provider refused them.
           */
          readonly withoutFrom?: number;
        }
      | {
          /** A model call has ended. */
          readonly type: 'step.finished';
          /** Counts the run's model calls from 1. */
          readonly step: number;
          /** The model's answer. */
          readonly message: Message;
          /** The pieces in which it was sent; none by default. */
          readonly pieces?: readonly StoredPieces[];
          /** The requested calls, in the message's order; `kind` is `function` by default. */
          readonly calls?: readonly AnnouncedCall[];
          /** The tokens of this model call. */
          readonly usage: Usage;
          /** Why the model stopped. */
          readonly finishReason: FinishReason;
          /** How long the model took; missing if unknown. */
          readonly timing?: StepTiming;
        }
      | {
          /** The run will wait for its caller. */
          readonly type: 'action.required';
          /** The action. */
          readonly action: PendingAction;
          /** For an approval of the run's own call: the digest of the tool that the owner is asked for. */
          readonly toolDigest?: string;
          /**
           * The call of this run whose agent waits for it, and has sent its event; missing if the action is
           * this run's own.
           */
          readonly via?: string;
        }
      | {
          /** The caller has answered. */
          readonly type: 'action.answered';
          /** The call that waited. */
          readonly callId: string;
          /** The answer. */
          readonly answer: ActionAnswer;
        }
      | {
          /** The run waits from here on, or still waits for the remaining answers. */
          readonly type: 'run.parked';
          /** The span in which the run began to wait, for later spans to reference; missing without one. */
          readonly trace?: TraceIds;
        }
      | {
          /** The run continues. */
          readonly type: 'run.resumed';
        }
      | {
          /** The run has ended. */
          readonly type: 'run.finished';
          /** The status of the end. */
          readonly status: RunStatus;
          /** The reason of the end. */
          readonly stopReason: StopReason;
          /** The text of the last assistant message. */
          readonly message: string;
          /** The tokens of all its model calls. */
          readonly usage: Usage;
          /** The failure, safe to show; missing if the run did not fail. */
          readonly failure?: StoredFailure;
        }
      | {
          /** A summary replaced older messages. */
          readonly type: 'compacted';
          /** The message with the summary. */
          readonly summary: Message;
          /** Messages from this position of the journal on are kept. */
          readonly keepFrom: number;
          /** The position of an earlier message that is kept: the question that the kept ones answer. */
          readonly keepAlso?: number;
          /** Tokens of the model call without it. */
          readonly tokensBefore: number;
          /** Tokens of the model call with it. */
          readonly tokensAfter: number;
          /** The number of summarized messages. */
          readonly messages: number;
          /** The tokens of the summary's own model call. */
          readonly usage: Usage;
          /** The names of the active tool groups, because readers skip earlier entries. */
          readonly activeGroups?: readonly string[];
          /** The tools allowed for the rest of the session, for the same reason. */
          readonly rememberedTools: readonly RememberedTool[];
          /** The ids of calls that later calls must not reuse, for the same reason. */
          readonly formerCallIds?: readonly string[];
        }
    ))
  | {
      /** The owner rewinds a run and all later messages. The effects of its calls remain. */
      readonly type: 'rewound';
      /** The position of the run's first entry. */
      readonly position: number;
    }
  | {
      /** The model has selected other tool groups. */
      readonly type: 'groups.changed';
      /** The names of all active groups. */
      readonly active: readonly string[];
    }
  | {
      /** The owner allows a tool for the rest of the session. */
      readonly type: 'permission.remembered';
      /** The tool's name. */
      readonly tool: string;
      /** The tool's digest; see `RememberedTool`. */
      readonly digest?: string;
    }
  | {
      /** The owner revokes that permission. */
      readonly type: 'permission.revoked';
      /** The tool's name. */
      readonly tool: string;
    };

/** The version, the event number and the time of an entry. */
export interface EntryNumbers {
  /** The version of the entry's format; see `ENTRY_VERSION`. */
  readonly v: number;
  /**
   * The number of the entry's first event; the others follow by one. Missing if the entry has no
   * events.
   */
  readonly seq?: number;
  /** The time of writing, for messages and where a run is queued, waits, continues or ends; ISO 8601. */
  readonly at?: string;
}

/**
 * An entry as it is stored. A newer release may write kinds that this one does not know: they are
 * kept, and readers skip them.
 */
export type RecordedEntry = SessionEntry & EntryNumbers;

/** An entry of one kind, or of several. */
export type EntryOf<Type extends SessionEntry['type']> = Extract<SessionEntry, { type: Type }>;

/** An entry with its position in the journal. */
export interface StoredEntry {
  /** Counts the session's entries from 1, by one. */
  readonly position: number;
  /** The entry itself. */
  readonly entry: RecordedEntry;
}

/** The value for an entry whose type only a newer release knows. */
export function ofNewerRelease<T>(_entry: never, instead: T): T {
  return instead;
}
