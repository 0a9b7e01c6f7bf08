import { callsIn } from '../state';
import type { ActionBody, AgentEvent, JsonObject, PendingAction } from '../wire';
import type { RunLine } from './run.line';

interface BrowserCall {
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** Runs the calls of the page's own tools, each once, and brings their results to the server. */
export class BrowserCalls {
  /** Lives as long as the run that the tools work for. */
  private work = new AbortController();
  private readonly served = new Set<string>();

  constructor(private readonly line: RunLine) {}

  /** A run begins or continues; a waiting or finished one is only replayed. */
  begin(isReplay = false): void {
    this.work = new AbortController();
    if (isReplay) this.work.abort();
  }

  /** The run wants no more of them. */
  end(): void {
    this.work.abort();
  }

  forget(): void {
    this.served.clear();
  }

  /** A replay may hold the call's result right behind the call, so it is looked at a moment later. */
  serveSoon(event: Extract<AgentEvent, { type: 'frontend.call' }>): void {
    const { line } = this;
    const { signal } = line;
    setTimeout(() => {
      const isOpen = callsIn(line.turn.value?.parts ?? []).some(
        (call) => call.callId === event.callId && call.output === undefined,
      );
      // A run that waits already gets it as an answer.
      const isWanted = !signal.aborted && !this.work.signal.aborted;
      if (isOpen && isWanted) void this.serve(event, this.work.signal);
    }, 0);
  }

  /** Those that a run without an open stream waits for: their results are answers to the run. */
  async serveParked(
    pending: readonly PendingAction[],
    act: (action: ActionBody) => Promise<unknown>,
  ): Promise<void> {
    const { signal } = this.line;
    for (const { type, ...call } of pending) {
      if (type !== 'frontend' || this.served.has(call.callId) || signal.aborted) continue;
      const outcome = await this.outcomeOf(call, signal);
      await act({ callId: call.callId, type: 'result', ...outcome });
    }
  }

  private async serve(call: BrowserCall, signal: AbortSignal): Promise<void> {
    const { callId } = call;
    if (this.served.has(callId)) return;
    const outcome = await this.outcomeOf(call, signal);
    if (signal.aborted) return;
    const { sessionId = '' } = this.line.state;
    await this.line.api.deliver({ sessionId, callId, ...outcome }).catch(() => undefined);
  }

  private outcomeOf({ callId, name, input }: BrowserCall, signal: AbortSignal) {
    this.served.add(callId);
    const { sessionId = '' } = this.line.state;
    return this.line.tools.run(name, input, { callId, sessionId, signal });
  }
}
