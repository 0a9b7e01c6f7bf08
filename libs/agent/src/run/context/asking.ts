import type { Settlement } from '../../invocation';
import type { PendingAction, ToolUseBlock } from '../../message';
import type { ChatAction } from '../request';
import type { RunContext } from './run-context';

/** A pending action, as its entry stores it. */
export interface AwaitedAction {
  readonly action: PendingAction;
  /** The call whose agent waits for it; missing if the run itself does. */
  readonly via?: string;
  /** The digest of the tool that an approval is asked for. */
  readonly toolDigest?: string;
}

/** The agents that a run asks. Their runs are bound to its calls. */
export interface Asking {
  /**
   * Asks an agent, or continues its run once its pending actions are answered.
   *
   * @param agent its name
   * @param callId the call by which it is asked
   * @returns its last message, or `AWAITED` if it waits for actions; then `awaited` lists them
   * @throws ToolError if the agent fails
   */
  ask(run: RunContext, agent: string, callId: string, message: string): Promise<unknown>;
  /** The pending actions of a call's agent; empty if it does not wait. */
  awaited(callId: string): readonly PendingAction[];
  /** The call has its result: later events of its agent are dropped. */
  close(callId: string): void;
  isClosed(callId: string): boolean;
  /** Checks answers for waiting agents without storing them. @throws the error of a refused answer */
  check(run: RunContext, via: string, answers: readonly ChatAction[]): Promise<void>;
  /** Passes answers on to the waiting agents, which store them and still wait. */
  accept(run: RunContext, via: string, answers: readonly ChatAction[]): Promise<void>;
  /**
   * Ends the runs of asked agents whose calls have ended. Never rejects.
   *
   * @returns the settlements of calls that asked an agent, from the agents' stored runs
   */
  conclude(
    run: RunContext,
    calls: readonly Pick<ToolUseBlock, 'id' | 'name'>[],
  ): Promise<ReadonlyMap<string, Settlement>>;
  /**
   * Removes the agents' sessions of this conversation: part of it was rewound, and they must not
   * remember it.
   */
  forget(run: RunContext): Promise<void>;
  /** Resolves when the runs of all asked agents have ended or wait. */
  settled(): Promise<void>;
}
