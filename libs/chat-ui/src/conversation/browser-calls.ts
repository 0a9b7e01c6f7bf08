import type { ToolBox } from '../browser-tools/tool-box';
import type { CurrentTurn } from '../state/current-turn';
import type { ActionBody, AgentApi } from '../wire/agent-api';
import type { AgentEvent, JsonObject, RunSnapshot } from '../wire/protocol';

export interface BrowserCallsOptions {
  readonly api: AgentApi;
  readonly tools: ToolBox;
  readonly turn: CurrentTurn;
  readonly sessionId: () => string | undefined;
}

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

  constructor(private readonly options: BrowserCallsOptions) {}

  /** A run begins, or goes on. */
  begin(): void {
    this.work = new AbortController();
  }

  /** The run wants no more of them. */
  end(): void {
    this.work.abort();
  }

  forget(): void {
    this.served.clear();
  }

  /** A replay may hold the call's result right behind the call, so it is looked at a moment later. */
  serveSoon(event: Extract<AgentEvent, { type: 'frontend.call' }>, line: AbortSignal): void {
    setTimeout(() => {
      const part = this.options.turn.value?.parts.find(
        (each) => each.type === 'tool' && each.callId === event.callId,
      );
      const isOpen = part?.type === 'tool' && part.output === undefined;
      if (!line.aborted && isOpen) void this.serve(event, this.work.signal);
    }, 0);
  }

  /** Those that a run without an open stream waits for: their results are answers to the run. */
  async serveParked(
    pending: RunSnapshot['pendingActions'],
    line: AbortSignal,
    act: (action: ActionBody) => Promise<unknown>,
  ): Promise<void> {
    for (const { type, callId, name, input } of pending) {
      if (type !== 'frontend' || this.served.has(callId) || line.aborted) continue;
      const outcome = await this.outcomeOf({ callId, name, input }, line);
      await act({ callId, type: 'result', ...outcome });
    }
  }

  private async serve(call: BrowserCall, signal: AbortSignal): Promise<void> {
    if (this.served.has(call.callId)) return;
    const outcome = await this.outcomeOf(call, signal);
    if (signal.aborted) return;
    const sessionId = this.options.sessionId() ?? '';
    const body = { sessionId, callId: call.callId, ...outcome };
    await this.options.api.deliver(body).catch(() => undefined);
  }

  private outcomeOf({ callId, name, input }: BrowserCall, signal: AbortSignal) {
    this.served.add(callId);
    const sessionId = this.options.sessionId() ?? '';
    return this.options.tools.run(name, input, { callId, sessionId, signal });
  }
}
