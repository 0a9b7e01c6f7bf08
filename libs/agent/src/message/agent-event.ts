import type { ResultContent } from './content-block';
import type { JsonObject, JsonValue } from './json';
import type { Usage } from './usage';

/** How a tool is carried out. */
export type ToolKind = 'provider' | 'route' | 'frontend' | 'function';

export type RunStatus = 'running' | 'completed' | 'requires_action' | 'cancelled' | 'failed';

/** Why a run stopped. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'refusal'
  | 'max_steps'
  | 'budget'
  | 'loop'
  | 'requires_action'
  | 'cancelled'
  | 'error';

/** Why one model call ended. */
export type FinishReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'error';

/** What a run waits for: the caller's consent, or a result from the browser. */
export interface PendingAction {
  readonly type: 'approval' | 'frontend';
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** What happens in a run, without the envelope that numbers it. */
export type AgentEventBody =
  | { readonly type: 'run.started'; readonly sessionId: string; readonly model: string }
  | { readonly type: 'thinking.delta'; readonly delta: string }
  | { readonly type: 'text.delta'; readonly delta: string }
  | {
      readonly type: 'tool.input.delta';
      readonly callId: string;
      readonly name: string;
      readonly delta: string;
    }
  | {
      readonly type: 'tool.call';
      readonly callId: string;
      readonly name: string;
      readonly kind: ToolKind;
      readonly input: JsonObject;
    }
  | { readonly type: 'tool.progress'; readonly callId: string; readonly data: JsonValue }
  | {
      readonly type: 'tool.result';
      readonly callId: string;
      readonly name: string;
      readonly output: ResultContent;
      readonly isError: boolean;
      readonly durationMs: number;
    }
  | {
      readonly type: 'approval.required';
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly reason: string;
      readonly expiresAt: string;
    }
  | {
      readonly type: 'frontend.call';
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly expiresAt: string;
    }
  | {
      readonly type: 'step.finished';
      readonly step: number;
      readonly usage: Usage;
      readonly finishReason: FinishReason;
    }
  | {
      readonly type: 'compaction';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly messages: number;
    }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | {
      readonly type: 'run.finished';
      readonly status: RunStatus;
      readonly stopReason: StopReason;
      readonly message: string;
      readonly usage: Usage;
      readonly pendingActions: readonly PendingAction[];
    };

/**
 * The hub of the library: a run yields these, every wire protocol encodes them, audit and page
 * consume them. `seq` counts from 1, by one, within its run.
 */
export type AgentEvent = AgentEventBody & { readonly runId: string; readonly seq: number };
