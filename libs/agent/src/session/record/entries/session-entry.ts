import type {
  CallOutcome,
  FinishReason,
  JsonObject,
  JsonValue,
  Message,
  PendingAction,
  RunStatus,
  StopReason,
  ToolKind,
  ToolResultBlock,
  Usage,
} from '../../../message';
import type { TraceIds } from '../../../telemetry';
import type { StoredPieces } from './pieces';
import type { QueueEntry } from './queue-entry';
import type { StepTiming } from './step-timing';
import type { StoredFailure } from './stored-failure';
import type { ToldEvent } from './told-events';

/** The version of all entries but those of queued runs; see `QUEUE_ENTRY_VERSION`. */
export const ENTRY_VERSION = 1;

/** How a pending action was answered. */
export type ActionAnswer =
  | {
      /** The call may run. */
      readonly type: 'approve';
      /** Arguments that replace the model's. */
      readonly input?: JsonObject;
      /** These as readers are shown them; as they are by default. */
      readonly shownInput?: JsonObject;
      /** Whether the tool is allowed for the rest of the session. */
      readonly remember?: boolean;
    }
  | {
      /** The call may not run. */
      readonly type: 'reject';
      /** Why, for the model to read. */
      readonly reason?: string;
    }
  | {
      /** A result was delivered to the asked agent that waits for it. */
      readonly type: 'deliver';
    }
  | {
      /** No answer came in time. */
      readonly type: 'expire';
    };

/** The facts about a call for the readers of a run that its message does not hold. */
export interface AnnouncedCall {
  /** The call. */
  readonly callId: string;
  /** How it is carried out; `function` where there is no such tool. */
  readonly kind: ToolKind;
  /**
   * The arguments as readers are shown them: as they will be sent, masked where they are sensitive;
   * the message's by default.
   */
  readonly input?: JsonObject;
  /** The party that has to act first; missing where the call runs at once. */
  readonly awaits?: PendingAction['type'];
}

/**
 * One event of a session. Everything follows from the entries in order: the state of a session
 * (`sessionStateOf`) and the events for the readers of its runs. No
 * header, cookie, token or preset value ever stands in one.
 */
export type SessionEntry =
  | ({
      /** The run that it belongs to. */
      readonly runId: string;
    } & (
      | QueueEntry
      | {
          /** Something was said. */
          readonly type: 'message';
          /** The message; a model's whole answer stands in `step.finished`. */
          readonly message: Message;
          /** The client's id for it, if any. */
          readonly id?: string;
          /** The pieces in which an assistant's message was told; as one by default. */
          readonly pieces?: readonly StoredPieces[];
        }
      | {
          /** A run begins. */
          readonly type: 'run.started';
          /** The model's name in the module's options; missing for the default one. */
          readonly model?: string;
          /** The model's own name. */
          readonly modelName: string;
          /** The client's description of the user's surroundings, for the run's later requests. */
          readonly environmentContext?: readonly string[];
          /** How the client wants answers to be worded, for the run's later requests. */
          readonly modelOptions?: Readonly<Record<string, number | string>>;
          /** ISO 8601. */
          readonly startedAt: string;
        }
      | {
          /** A call passed its checks and is about to run; written before it runs. */
          readonly type: 'call.started';
          /** The call. */
          readonly callId: string;
          /** Of a call that the caller's browser carries out: when its result is too late; ISO 8601. */
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
          /** An agent that a running call asked said or did something; written with the next entry. */
          readonly type: 'agent.told';
          /** The call of this run by which it was asked, perhaps through other agents. */
          readonly callId: string;
          /** What its readers are told, in order. */
          readonly told: readonly ToldEvent[];
        }
      | {
          /** Tokens of an agent that a running call asked; written with the next entry. */
          readonly type: 'agent.spent';
          /** The call of this run by which it was asked, perhaps through other agents. */
          readonly callId: string;
          /** The model's own name. */
          readonly modelName: string;
          /** The tokens of one model call. */
          readonly usage: Usage;
        }
      | {
          /** A call has its one result. */
          readonly type: 'call.settled';
          /** The result for the model. */
          readonly result: ToolResultBlock;
          /** Milliseconds that the tool took; 0 where it did not run. */
          readonly durationMs: number;
          /** The call's outcome. */
          readonly outcome: CallOutcome;
        }
      | {
          /** The user is to know something, though the run goes on. */
          readonly type: 'noticed';
          /** Stable, such as `attachment_not_seen`. */
          readonly code: string;
          /** Safe to show. */
          readonly message: string;
        }
      | {
          /** A model call is over. */
          readonly type: 'step.finished';
          /** Counts the run's model calls from 1. */
          readonly step: number;
          /** The model's answer. */
          readonly message: Message;
          /** The pieces in which it was told; none by default. */
          readonly pieces?: readonly StoredPieces[];
          /** The calls that it asks for, in the message's order; `kind` is `function` by default. */
          readonly calls?: readonly AnnouncedCall[];
          /** The tokens of this model call. */
          readonly usage: Usage;
          /** Why the model stopped. */
          readonly finishReason: FinishReason;
          /** How long the model took; missing where that is not known. */
          readonly timing?: StepTiming;
        }
      | {
          /** The run will wait for its caller. */
          readonly type: 'action.required';
          /** The action. */
          readonly action: PendingAction;
          /**
           * The call of this run whose agent waits for it, and has told so; missing where the action is
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
          /** The run waits from here on, or waits on for the rest of the answers. */
          readonly type: 'run.parked';
          /** The span that the run waited in, for those after it to name; missing if it has none. */
          readonly trace?: TraceIds;
        }
      | {
          /** The run goes on. */
          readonly type: 'run.resumed';
        }
      | {
          /** The run is over. */
          readonly type: 'run.finished';
          /** How it ended. */
          readonly status: RunStatus;
          /** Why it ended. */
          readonly stopReason: StopReason;
          /** The text of the last assistant message. */
          readonly message: string;
          /** The tokens of all its model calls. */
          readonly usage: Usage;
          /** Why it failed, in words that are safe to show; missing where it did not. */
          readonly failure?: StoredFailure;
        }
      | {
          /** A summary took the place of older messages. */
          readonly type: 'compacted';
          /** The message with the summary. */
          readonly summary: Message;
          /** Messages stay that were said at this position of the journal or later. */
          readonly keepFrom: number;
          /** And the one that was said here: the question that the kept ones answer. */
          readonly keepAlso?: number;
          /** Tokens of the model call without it. */
          readonly tokensBefore: number;
          /** Tokens of the model call with it. */
          readonly tokensAfter: number;
          /** How many messages the summary stands for. */
          readonly messages: number;
          /** The tokens of the summary's own model call. */
          readonly usage: Usage;
          /** The names of the active tool groups, of which a reader of the rest would not know. */
          readonly activeGroups?: readonly string[];
          /** The names of the tools allowed for the rest of the session, for the same reason. */
          readonly rememberedTools: readonly string[];
          /** The ids of calls that a later one must not have, for the same reason. */
          readonly formerCallIds?: readonly string[];
        }
    ))
  | {
      /** The owner takes back a run and all later messages. The effects of its calls remain. */
      readonly type: 'rewound';
      /** The run. */
      readonly beforeRun: string;
      /** Where in the journal it begins. */
      readonly position: number;
    }
  | {
      /** The model has chosen other tool groups. */
      readonly type: 'groups.changed';
      /** The names of all that are active now. */
      readonly active: readonly string[];
    }
  | {
      /** The owner allows a tool for the rest of the session. */
      readonly type: 'permission.remembered';
      /** The tool's name. */
      readonly tool: string;
    }
  | {
      /** The owner takes that back. */
      readonly type: 'permission.revoked';
      /** The tool's name. */
      readonly tool: string;
    };

/** The version, the event number and the time of an entry. */
export interface EntryNumbers {
  /** The version of the entry's form; see `ENTRY_VERSION`. */
  readonly v: number;
  /**
   * The number of the first event that readers are told by it; the others follow by one. Missing
   * where they are told nothing.
   */
  readonly seq?: number;
  /** Of messages, and where a run is queued, waits, goes on or ends: the time of writing; ISO 8601. */
  readonly at?: string;
}

/**
 * An entry as it is written down. A newer release may write kinds that this one does not know: they
 * are kept, and readers skip them.
 */
export type RecordedEntry = SessionEntry & EntryNumbers;

/** An entry with its place in the journal, from 1. */
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
