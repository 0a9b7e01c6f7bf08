import type { Settlement } from '../../invocation';
import type { PendingAction, ToolUseBlock } from '../../message';
import type { ChatAction } from '../request';
import type { RunContext } from './run-context';

/** A pending action, with the call whose agent waits for it; missing if it is the run's own. */
export interface AwaitedAction {
  readonly action: PendingAction;
  readonly via?: string;
}

/** What a run does with the agents that it asks. The runs of these are bound to its calls. */
export interface Asking {
  /**
   * Asks an agent, or lets it go on whose pending actions were answered.
   *
   * @param agent its name
   * @param callId the call by which it is asked
   * @returns its last message, or `AWAITED`: `awaited` has what it waits for
   * @throws ToolError if the agent fails
   */
  ask(run: RunContext, agent: string, callId: string, message: string): Promise<unknown>;
  /** What the agent of a call waits for; empty if it does not. */
  awaited(callId: string): readonly PendingAction[];
  /** The call has its result: later events of its agent are dropped. */
  close(callId: string): void;
  isClosed(callId: string): boolean;
  /** Checks answers to agents that wait for them, and stores nothing. @throws the refusal */
  check(run: RunContext, via: string, answers: readonly ChatAction[]): Promise<void>;
  /** Passes answers on to the agents that wait for them, which store them and wait on. */
  accept(run: RunContext, via: string, answers: readonly ChatAction[]): Promise<void>;
  /**
   * Ends the runs of asked agents whose calls have ended. Never rejects.
   *
   * @returns the settlements of calls that asked an agent, from what is stored of it
   */
  conclude(
    run: RunContext,
    calls: readonly Pick<ToolUseBlock, 'id' | 'name'>[],
  ): Promise<ReadonlyMap<string, Settlement>>;
  /**
   * Removes what the agents were asked in this conversation: a part of it was taken back, and they
   * must not remember it.
   */
  forget(run: RunContext): Promise<void>;
  /** Resolves when the runs of all asked agents have ended, or wait. */
  settled(): Promise<void>;
}
