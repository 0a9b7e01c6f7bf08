import type { AgentEvent } from '../wire';
import { applyEvent } from './apply-event';
import { eachCall } from './calls';
import type { AgentTurn, Approval, Problem } from './chat-state';
import { currentTurn } from './selectors';
import type { ChatStore } from './store';

/** The turn that a run is writing, or waits in, and the ways to change it. */
export class CurrentTurn {
  constructor(private readonly store: ChatStore) {}

  get value(): AgentTurn | undefined {
    return currentTurn(this.store.state);
  }

  edit(change: (turn: AgentTurn) => AgentTurn, how: 'update' | 'updateInFrame' = 'update'): void {
    this.store[how]((state) => {
      const turn = currentTurn(state);
      return turn ? { turns: state.turns.with(-1, change(turn)) } : {};
    });
  }

  /** The message that it answers knows its run from then on. */
  begin(runId: string): void {
    this.store.update(({ turns }) => {
      const message = turns.at(-2);
      return message?.role === 'user' ? { turns: turns.with(-2, { ...message, runId }) } : {};
    });
  }

  /** Writes one more event of the run into it. */
  apply(event: AgentEvent): void {
    this.edit((turn) => applyEvent(turn, event, Date.now()), 'updateInFrame');
  }

  /** Nothing more comes for it. */
  settle(change: Pick<AgentTurn, 'status'> & { readonly error?: Problem }): void {
    this.store.update({ connection: 'idle' });
    this.edit((turn) => ({ ...turn, ...change }));
  }

  editApproval(callId: string, change: Partial<Approval>): void {
    this.edit((turn) => ({
      ...turn,
      parts: eachCall(turn.parts, (call) =>
        call.callId === callId && call.approval
          ? { ...call, approval: { ...call.approval, ...change } }
          : call,
      ),
    }));
  }
}
