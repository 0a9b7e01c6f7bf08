import {
  isUnderWay,
  type Message,
  type PendingAction,
  textOf,
  type ToolUseBlock,
} from '../../message';
import type { RememberedTool } from '../../tool';
import type { RunState } from './run-state';
import type { ActionAnswer } from './entries';

/** A call of the last assistant message that has no result yet. */
export interface OpenCall {
  /** The run that made it. */
  readonly runId: string;
  /** The call with its final input: the edited input of an approval if there is one. */
  readonly call: ToolUseBlock;
  /** Whether it may have run: after a crash its outcome is unknown. */
  readonly started: boolean;
  /** Set if it may run only once it is approved. */
  readonly asksFirst?: true;
  /** Set if its start may be missing in the journal, because its tool may run twice. */
  readonly isRepeatable?: true;
  /** The deadline for its result from outside, ISO 8601; missing if the run does not wait for it. */
  readonly expiresAt?: string;
}

/** An action that the last run waited for, and its answer. */
export interface ActionState {
  /** The run that waited. */
  readonly runId: string;
  /** The action. */
  readonly action: PendingAction;
  /** For an approval: the digest of the tool that the owner was asked for. */
  readonly toolDigest?: string;
  /** The open call whose agent waits for it; missing if the action is the run's own. */
  readonly via?: string;
  /** The answer to an approval; missing if there is none yet. */
  readonly answer?: ActionAnswer;
  /** Set if the call was approved before and waits for the caller to execute it. */
  readonly isApproved?: boolean;
  /** Whether the call has its result, from the frontend or after an approval. */
  readonly settled: boolean;
}

/** The tokens of the history's beginning, by the provider's count. */
export interface MeasuredPrefix {
  /** The number of messages in the beginning. */
  readonly messages: number;
  /** The tokens of these messages, including system prompt and tools. */
  readonly tokens: number;
}

/**
 * The state of a session at one point of its journal. `messages` is a valid history for a model once
 * `openCalls` is empty.
 */
export interface SessionState {
  /** The position of the last entry in this state; 0 for an empty journal. */
  readonly version: number;
  /** The conversation for the model; a summary replaces the summarized messages. */
  readonly messages: readonly Message[];
  /** The position of each message in the journal, results with their calls; 0 for a summary. */
  readonly positions: readonly number[];
  /** The position from which on nothing is summarized; missing without a summary. */
  readonly wholeFrom?: number;
  /**
   * The ids of calls that were rewound or summarized: an answer to one of them must not match a later
   * call. Missing if there are none.
   */
  readonly formerCallIds?: readonly string[];
  /** The calls without a result. */
  readonly openCalls: readonly OpenCall[];
  /** The last run; missing if there was none. */
  readonly run?: RunState;
  /** The actions of the last run, including answered ones. */
  readonly actions: readonly ActionState[];
  /** The names of the active tool groups; missing until they are changed. */
  readonly activeGroups?: readonly string[];
  /** The tools allowed for the rest of the session. */
  readonly rememberedTools: readonly RememberedTool[];
  /** The length of the history, as far as the provider has counted it. */
  readonly measured?: MeasuredPrefix;
}

export const EMPTY_SESSION: SessionState = {
  version: 0,
  messages: [],
  positions: [],
  openCalls: [],
  actions: [],
  rememberedTools: [],
};

/** A session whose journal is read from a position on. */
export function sessionFrom(position: number): SessionState {
  return { ...EMPTY_SESSION, version: position - 1, messages: [], positions: [] };
}

/** The text of the model's last answer. */
export function lastAnswer({ messages }: SessionState): string {
  const asked = messages.findLast(({ role }) => role === 'assistant');
  return asked ? textOf(asked) : '';
}

/** Whether the owner approved the call, now or before it was passed to the caller. */
export function wasApproved({ answer, isApproved = false }: ActionState): boolean {
  return isApproved || answer?.type === 'approve';
}

/** The open actions of the last run. */
export function pendingActionsOf(state: SessionState): readonly PendingAction[] {
  const { status } = state.run ?? {};
  if (status !== 'requires_action' && !isUnderWay(status)) return [];
  return state.actions
    .filter(({ answer, settled }) => answer === undefined && !settled)
    .map(({ action }) => action);
}
