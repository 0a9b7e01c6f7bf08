import type {
  CallOutcome,
  ContentBlock,
  FinishReason,
  JsonObject,
  JsonValue,
  PendingAction,
  ResultContent,
  RunStatus,
  StopReason,
  TokenPrices,
  ToolKind,
  Usage,
} from '../../message';
import type { ModelRequest } from '../../model';
import type { ActionAnswer, AskedEvent, StepTiming, StoredFailure } from '../../session';

/** The tokens of a model call, and their cost if the model has prices. */
interface Spent {
  readonly usage: Usage;
  readonly cost?: number;
}

/** One item of a run's timeline. Arguments are masked and redacted, as everywhere. */
export type TimelineItem =
  | {
      readonly type: 'said';
      readonly at?: string;
      readonly text: string;
      /** The kinds of further blocks, such as `image`. */
      readonly attachments: readonly string[];
    }
  | (Spent & {
      readonly type: 'model';
      readonly step: number;
      /** When the answer was stored. */
      readonly at?: string;
      readonly timing?: StepTiming;
      readonly content: readonly ContentBlock[];
      readonly finishReason: FinishReason;
    })
  | {
      readonly type: 'call';
      readonly step: number;
      readonly callId: string;
      readonly name: string;
      readonly kind: ToolKind;
      readonly input: JsonObject;
      readonly progress: readonly JsonValue[];
      /** The actor that the call waited for. */
      readonly awaits?: PendingAction['type'];
      /** Missing while the call is open, as are the next three fields. */
      readonly outcome?: CallOutcome;
      readonly durationMs?: number;
      readonly output?: ResultContent;
      readonly isError?: boolean;
    }
  | {
      readonly type: 'wait';
      readonly action: PendingAction;
      readonly answer?: ActionAnswer['type'];
      /** The reason of a rejection. */
      readonly reason?: string;
      /** The edited arguments of an approval. */
      readonly edited?: JsonObject;
    }
  | { readonly type: 'parked' | 'resumed'; readonly at?: string }
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
  | (Spent & {
      readonly type: 'compacted';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly messages: number;
    })
  | { readonly type: 'asked'; readonly callId: string; readonly told: readonly AskedEvent[] }
  | (Spent & { readonly type: 'asked_spent'; readonly callId: string; readonly modelName: string });

/** A run from its start to its end. */
export interface RunTimeline extends Spent {
  readonly sessionId: string;
  readonly runId: string;
  /** The model's name in the module's options; missing for the default one. */
  readonly model?: string;
  readonly modelName: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly status: RunStatus;
  readonly stopReason?: StopReason;
  /** The user's message. */
  readonly question: string;
  /** The closing message. */
  readonly message?: string;
  readonly failure?: StoredFailure;
  /** Whether its owner has rewound it. */
  readonly isTakenBack: boolean;
  readonly items: readonly TimelineItem[];
}

/** The runs of a session whose entries are still stored, in order. */
export interface SessionTimeline {
  readonly sessionId: string;
  readonly runs: readonly RunTimeline[];
}

/** Runs of the sessions of one page, the last used session first. */
export interface RunPage {
  readonly runs: readonly Omit<RunTimeline, 'items'>[];
  /** Missing on the last page. */
  readonly nextOffset?: number;
}

/** A model that runs may use. */
export interface InspectedModel {
  /** Its name in the module's `models`; missing for the default one. */
  readonly name?: string;
  readonly modelName: string;
  readonly prices?: TokenPrices;
}

/** The request of a step, rebuilt. */
export interface InspectedRequest {
  readonly step: number;
  /** The model of the rebuilt request. */
  readonly model: string;
  readonly request: ModelRequest;
  /** Whether a summary replaces the beginning of the conversation. */
  readonly isCompacted: boolean;
  /** The origin of its parts: the journal, or the application's current state. */
  readonly sources: { readonly messages: 'journal'; readonly system: 'now'; readonly tools: 'now' };
}
