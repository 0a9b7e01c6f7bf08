import type { AgentEvent, AgentService, RunStatus } from 'nestjs-agent';

/** One user's talk with the agent: a session, and at most one run at a time. */
export class Conversation {
  private sessionId: string | undefined;
  private running: AbortController | undefined;

  constructor(
    private readonly agent: Pick<AgentService, 'stream'>,
    private readonly principal: string,
    private readonly show: (event: AgentEvent) => void,
  ) {}

  /** Sends a message and shows what comes back; answers how the run ended. */
  async ask(message: string): Promise<RunStatus> {
    const running = new AbortController();
    this.running = running;
    let status: RunStatus = 'failed';
    try {
      const input =
        this.sessionId === undefined ? { message } : { message, sessionId: this.sessionId };
      const events = this.agent.stream(input, {
        principal: this.principal,
        signal: running.signal,
      });
      await events.forEach((event) => {
        if (event.type === 'run.started') this.sessionId = event.sessionId;
        if (event.type === 'run.finished') status = event.status;
        this.show(event);
      });
      return status;
    } finally {
      this.running = undefined;
    }
  }

  /** Cancels the run; `false` where none is running or it is being cancelled already. */
  cancel(): boolean {
    if (this.running === undefined || this.running.signal.aborted) return false;
    this.running.abort();
    return true;
  }
}
