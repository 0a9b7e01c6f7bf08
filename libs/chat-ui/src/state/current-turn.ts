import type { AgentEvent } from '../wire/protocol';
import { applyEvent } from './apply-event';
import type { AgentTurn, Approval, ChatState, Problem, ToolPart } from './chat-state';
import { currentTurn } from './chat-state';
import type { ChatStore } from './store';

/** The turn that a run is writing, or waits in, and the ways to change it. */
export class CurrentTurn {
  constructor(private readonly store: ChatStore) {}

  get value(): AgentTurn | undefined {
    return currentTurn(this.store.state);
  }

  edit(change: (turn: AgentTurn) => AgentTurn): void {
    this.store.update((state) => withCurrentTurn(state, change));
  }

  /** The message that it answers knows its run from then on. */
  begin(runId: string): void {
    this.store.update(({ turns }) => ({
      turns: turns.map((turn, index) =>
        turn.role === 'user' && index === turns.length - 2 ? { ...turn, runId } : turn,
      ),
    }));
  }

  /** Writes one more event of the run into it. */
  apply(event: AgentEvent): void {
    const change = (turn: AgentTurn): AgentTurn => applyEvent(turn, event, Date.now());
    this.store.updateInFrame((state) => withCurrentTurn(state, change));
  }

  /** Nothing more comes for it. */
  settle(change: Pick<AgentTurn, 'status'> & { readonly error?: Problem }): void {
    this.store.update({ connection: 'idle' });
    this.edit((turn) => ({ ...turn, ...change }));
  }

  editApproval(
    callId: string,
    change: Partial<Pick<Approval, 'answer' | 'isSending' | 'problem'>>,
  ): void {
    this.edit((turn) => ({
      ...turn,
      parts: turn.parts.map((part) =>
        part.type === 'tool' && part.callId === callId && part.approval
          ? { ...part, approval: { ...part.approval, ...change } }
          : part,
      ),
    }));
  }
}

function withCurrentTurn(
  { turns }: ChatState,
  change: (turn: AgentTurn) => AgentTurn,
): Partial<ChatState> {
  const last = turns.at(-1);
  return last?.role === 'agent' ? { turns: [...turns.slice(0, -1), change(last)] } : {};
}

/** A new message declines what the run before it still asked for. */
export function declined(turn: AgentTurn): AgentTurn {
  if (turn.status !== 'requires_action') return turn;
  const parts = turn.parts.map((part) =>
    part.type === 'tool' && part.outcome === undefined
      ? { ...part, outcome: isApproved(part) ? ('interrupted' as const) : ('declined' as const) }
      : part,
  );
  return { ...turn, status: 'completed', parts };
}

function isApproved({ approval }: ToolPart): boolean {
  return approval?.answer === 'approved';
}
