import type { AgentEvent, AgentEventBody } from '../../message';
import { isSameText, saying, textIn, type AskedEvent, type PieceBody } from '../../session';

/** An event of an agent that a call of this run asked. */
export interface AskedAgentEvent {
  readonly callId: string;
  readonly event: AskedEvent;
}

/** Events that may be sent before they are stored. */
export type Unstored =
  | PieceBody
  | Extract<AgentEventBody, { type: 'tool.progress' }>
  | AskedAgentEvent;

/** Events without a number yet. Merges consecutive pieces of one text into one event. */
export class HeldEvents {
  private held: Unstored[] = [];

  get areEmpty(): boolean {
    return this.held.length === 0;
  }

  hold(body: Unstored): void {
    const last = this.held.at(-1);
    if (isPiece(body) && last !== undefined && isPiece(last) && isSameText(last, body)) {
      this.held[this.held.length - 1] = saying(last, textIn(last) + textIn(body));
    } else {
      this.held.push(body);
    }
  }

  take(): readonly Unstored[] {
    return this.held.splice(0);
  }
}

/** The time after a sent piece in which later pieces are merged. */
export class MergingTime {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onOver: () => void) {}

  get isRunning(): boolean {
    return this.timer !== undefined;
  }

  start(ms: number | undefined): void {
    if (ms === undefined || this.isRunning) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.onOver();
    }, ms).unref();
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

export function isPiece(body: Unstored): body is PieceBody {
  return !('event' in body) && body.type !== 'tool.progress';
}

const MILESTONES: ReadonlySet<AgentEvent['type']> = new Set(['step.finished', 'tool.result']);

/** Whether to store an asked agent's event at once, for readers elsewhere and in case of a crash. */
export function isMilestone(body: Unstored): boolean {
  return 'event' in body && MILESTONES.has(body.event.type);
}
