import {
  isUnderWay,
  type Message,
  type PendingAction,
  textOf,
  type ToolUseBlock,
} from '../../message';
import type { RunState } from './run-state';
import type { ActionAnswer } from './entries';

/** A call of the last assistant message that has no result yet. */
export interface OpenCall {
  /** The run that made it. */
  readonly runId: string;
  /** With the input it will run with: an approval's edited one, where there is one. */
  readonly call: ToolUseBlock;
  /** It was about to run: after a crash its outcome is unknown. */
  readonly started: boolean;
  /** Until when the run waits for its result from outside, ISO 8601; missing where it does not. */
  readonly expiresAt?: string;
}

/** An action that the last run waited for, and its answer. */
export interface ActionState {
  /** The run that waited. */
  readonly runId: string;
  /** The action. */
  readonly action: PendingAction;
  /** The open call whose agent waits for it; missing where the action is the run's own. */
  readonly via?: string;
  /** The answer to an approval; missing where there is none yet. */
  readonly answer?: ActionAnswer;
  /** The call was approved before, and waits for its caller to carry it out. */
  readonly isApproved?: boolean;
  /** The call has its result, from the frontend or after an approval. */
  readonly settled: boolean;
}

/** How many tokens the history's beginning has, as the provider counted. */
interface MeasuredPrefix {
  /** How many messages the beginning has. */
  readonly messages: number;
  /** The tokens of these messages, system prompt and tools included. */
  readonly tokens: number;
}

/**
 * The state of a session at one point of its journal. `messages` is a history that a model accepts
 * as soon as `openCalls` is empty.
 */
export interface SessionState {
  /** The position of the last entry that it follows from; 0 of an empty journal. */
  readonly version: number;
  /** The conversation as the model reads it, a summary in place of the summarised messages. */
  readonly messages: readonly Message[];
  /** Where in the journal each was said, results with their calls; 0 of a summary. */
  readonly positions: readonly number[];
  /** From where on in the journal the summary stands for nothing; missing where there is none. */
  readonly wholeFrom?: number;
  /**
   * The ids of calls that were taken back or summarised: an answer to one of them must not fit a later
   * call. Missing where there are none.
   */
  readonly formerCallIds?: readonly string[];
  /** The calls that have no result yet. */
  readonly openCalls: readonly OpenCall[];
  /** The last run; missing where there was none. */
  readonly run?: RunState;
  /** The actions of the last run, answered ones included. */
  readonly actions: readonly ActionState[];
  /** The names of the active tool groups; missing until they are changed. */
  readonly activeGroups?: readonly string[];
  /** The names of the tools allowed for the rest of the session. */
  readonly rememberedTools: readonly string[];
  /** How long the history is, as far as the provider has counted. */
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

/** Whether the owner approved the call, now or before it was handed to the caller. */
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
