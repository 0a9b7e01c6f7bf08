import type { AgentEvent, EventOf } from '../../message';

interface HeldCall {
  readonly call: EventOf<'tool.call'>;
  readonly approval?: EventOf<'approval.required'>;
}

/**
 * The calls of asked agents that wait, until the run itself does. The AI SDK sends answers once the
 * whole last step of a message has them, and the step of the call that asked never does.
 */
export class HeldCalls {
  private readonly calls = new Map<string, HeldCall>();

  /** Keeps an event to send later. */
  takes(event: AgentEvent): boolean {
    if (event.agent === undefined) return false;
    if (event.type === 'tool.call' && event.awaits !== undefined) {
      this.calls.set(event.callId, { call: event });
      return true;
    }
    const held = event.type === 'approval.required' && this.calls.get(event.callId);
    if (!held) return false;
    this.calls.set(event.callId, { ...held, approval: event });
    return true;
  }

  /** A call that has its result. */
  release(callId: string): HeldCall | undefined {
    const held = this.calls.get(callId);
    this.calls.delete(callId);
    return held;
  }

  releaseAll(): readonly HeldCall[] {
    const held = [...this.calls.values()];
    this.calls.clear();
    return held;
  }
}
