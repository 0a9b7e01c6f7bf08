import type {
  CallOutcome,
  ContentBlock,
  JsonObject,
  JsonValue,
  Message,
  PendingAction,
  ResultContent,
  RunStatus,
  Usage,
} from '../../../agent/src/message';
import type { JsonSchema, ToolDefinition } from '../../../agent/src/tool';

export type { ContentBlock, JsonObject, JsonSchema, JsonValue, Message, ResultContent, Usage };

/** As in `GET /workbench/tools`. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly kind: string;
  readonly source: string;
  readonly group?: string;
  readonly toolkit?: string;
  readonly traits: Readonly<Record<string, boolean>>;
  readonly permissions: readonly { readonly from: string; readonly level: string }[];
  readonly tokens: number;
  readonly doubts: readonly string[];
  readonly withheld?: { readonly reason: string; readonly message?: string };
}

export interface Offer {
  readonly kind: string;
  readonly source: string;
  readonly name: string;
  readonly uri?: string;
  readonly description?: string;
  readonly arguments?: readonly string[];
}

export interface ToolList {
  readonly estimate: string;
  readonly tokens: number;
  readonly mayAll: boolean;
  readonly model: { readonly name: string; readonly provider?: string };
  readonly tools: readonly ListedTool[];
  readonly offers: readonly Offer[];
}

/** As in `GET /workbench/tools/:name`. */
export interface ToolInFull extends ListedTool {
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
  readonly example: JsonObject;
  readonly dialects: readonly {
    readonly provider: string;
    readonly definition: JsonValue;
    readonly notStrict?: string;
  }[];
}

/** As in `POST /workbench/calls`. */
export interface TriedCall {
  readonly callId: string;
  readonly tool: string;
  readonly status: string;
  readonly input: JsonObject;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: string };
  readonly stages: readonly {
    readonly stage: string;
    readonly by?: string;
    readonly durationMs: number;
    readonly isFailed?: true;
  }[];
  readonly result?: JsonValue;
  readonly content?: ResultContent;
  readonly error?: { readonly code: string; readonly message: string };
  readonly durationMs: number;
  readonly attempts: number;
  readonly logs: readonly string[];
}

interface Spent {
  readonly usage: Usage;
  readonly cost?: number;
}

export type TimelineItem =
  | {
      readonly type: 'said';
      readonly at?: string;
      readonly text: string;
      readonly attachments: readonly string[];
    }
  | (Spent & {
      readonly type: 'model';
      readonly step: number;
      readonly at?: string;
      readonly timing?: { readonly totalMs: number; readonly firstTokenMs?: number };
      readonly content: readonly ContentBlock[];
      readonly finishReason: string;
    })
  | {
      readonly type: 'call';
      readonly step: number;
      readonly callId: string;
      readonly name: string;
      readonly kind: string;
      readonly input: JsonObject;
      readonly progress: readonly JsonValue[];
      readonly outcome?: CallOutcome;
      readonly durationMs?: number;
      readonly output?: ResultContent;
    }
  | {
      readonly type: 'wait';
      readonly action: PendingAction;
      readonly answer?: string;
      readonly reason?: string;
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
  | { readonly type: 'asked'; readonly callId: string; readonly told: readonly JsonObject[] }
  | (Spent & { readonly type: 'asked_spent'; readonly callId: string; readonly modelName: string });

export interface RunSummary extends Spent {
  readonly sessionId: string;
  readonly runId: string;
  readonly modelName: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly status: RunStatus;
  readonly stopReason?: string;
  readonly question: string;
  readonly message?: string;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly isTakenBack: boolean;
}

/** As in `GET /workbench/sessions/:id`. */
export interface RunTimeline extends RunSummary {
  readonly items: readonly TimelineItem[];
}

/** As in `GET /workbench/runs`. */
export interface RunPage {
  readonly runs: readonly RunSummary[];
  readonly nextOffset?: number;
}

/** As in `GET /workbench/sessions/:id/runs/:runId/requests/:step`. */
export interface InspectedRequest {
  readonly model: string;
  readonly isCompacted: boolean;
  readonly request: Readonly<Record<string, JsonValue>> & {
    readonly system?: string;
    readonly messages: readonly Message[];
    readonly tools: readonly ToolDefinition[];
  };
}
