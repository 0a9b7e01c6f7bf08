import type { AgentEvent, AgentService } from 'nestjs-agent';
import type { PendingAction, RunStatus } from 'nestjs-agent/types';

type Answers = Parameters<AgentService['resume']>[1];

/** The caller of a run, and the signal that cancels it. */
interface Caller {
  readonly principal: string;
  readonly signal: AbortSignal;
}

/** One user's talk with the agent: a session, and at most one run at a time. */
export class Conversation {
  private sessionId: string | undefined;
  private running: AbortController | undefined;
  private runId = '';
  private pending: readonly PendingAction[] = [];
  private decisions: Answers = [];

  constructor(
    private readonly agent: Pick<AgentService, 'stream' | 'resume'>,
    private readonly principal: string,
    private readonly show: (event: AgentEvent) => void,
  ) {}

  /** The next call that needs the user's approval, also of an agent that was asked. */
  get awaited(): PendingAction | undefined {
    return this.pending.find(({ type }) => type === 'approval');
  }

  /** Sends a message and shows the run's events; resolves with its result. */
  ask(message: string): Promise<RunStatus> {
    return this.follow(async (options, show) => {
      const input =
        this.sessionId === undefined ? { message } : { message, sessionId: this.sessionId };
      await this.agent.stream(input, options).forEach(show);
    });
  }

  /** Answers the awaited approval. The run goes on with the last answer. */
  async decide(isApproved: boolean): Promise<RunStatus> {
    const { awaited, runId } = this;
    if (awaited === undefined) throw new Error('No call waits for an approval.');
    const { callId } = awaited;
    const actions = [
      ...this.decisions,
      { callId, type: isApproved ? 'approve' : 'reject' } as const,
    ];
    this.pending = this.pending.filter((each) => each !== awaited);
    this.decisions = actions;
    if (this.awaited !== undefined) return 'requires_action';
    return this.follow(async (options, show) => {
      const run = await this.agent.resume(runId, actions, options);
      for await (const event of run.events()) show(event);
    });
  }

  /** Cancels the run; `false` where none is running or it is being cancelled already. */
  cancel(): boolean {
    if (this.running === undefined || this.running.signal.aborted) return false;
    this.running.abort();
    return true;
  }

  private async follow(
    tell: (options: Caller, show: (event: AgentEvent) => void) => Promise<void>,
  ): Promise<RunStatus> {
    const running = new AbortController();
    this.running = running;
    this.pending = [];
    this.decisions = [];
    let status: RunStatus = 'failed';
    try {
      await tell({ principal: this.principal, signal: running.signal }, (event) => {
        if (event.type === 'run.started') this.sessionId = event.sessionId;
        if (event.type === 'run.finished') {
          ({ status } = event);
          this.runId = event.runId;
          this.pending = event.pendingActions;
        }
        this.show(event);
      });
      return status;
    } finally {
      this.running = undefined;
    }
  }
}
