import type { PendingAction } from '../../message';
import {
  ActionConflictError,
  type AgentService,
  type RunHandle,
  type SessionService,
  type StartOptions,
} from '../../run';
import type { TranscriptMessage } from '../../session';
import type { ClientThreads, Thread } from '../threads';
import type { AgUiInput } from './ag-ui-input';
import { type AgUiPlan, planOf, type Said } from './ag-ui-plan';

/** One request of a client, in its session. */
export interface AgUiRequest {
  readonly input: AgUiInput;
  readonly thread: Thread;
  /** The caller. */
  readonly options: StartOptions;
}

/** A request's plan, with the state of the session that it was made for. */
export interface Turn {
  readonly plan: AgUiPlan;
  readonly stored: readonly TranscriptMessage[];
  readonly pending: readonly PendingAction[];
  /** The continued or the new run, if there is one. */
  readonly run?: RunHandle;
}

/** Plans each request, and continues or starts its run. */
export class AgUiTurns {
  constructor(
    private readonly agent: AgentService,
    private readonly sessions: SessionService,
    private readonly threads: ClientThreads,
  ) {}

  /** Plans the request again if its actions were answered elsewhere in the meantime. */
  async begin(request: AgUiRequest): Promise<Turn> {
    const { input, thread, options } = request;
    const turn = await this.turnOf(request, thread.run);
    try {
      return { ...turn, ...(await this.runOf(request, turn.plan)) };
    } catch (error) {
      if (!(error instanceof ActionConflictError)) throw error;
      // Another tab was faster, or it is too late.
      const now = await this.threads.find(thread.sessionId, options.principal);
      const rest = { ...request, input: { ...input, resume: [], results: new Map() } };
      const next = await this.turnOf(rest, now?.run);
      const isRepeated = next.plan.type === 'start' && next.plan.said.replaceRun !== undefined;
      const plan: AgUiPlan = isRepeated ? { type: 'show' } : next.plan;
      return { ...next, plan, ...(await this.runOf(request, plan)) };
    }
  }

  /** Starts a run with the user's message. */
  start({ input, thread, options }: AgUiRequest, said: Said): Promise<RunHandle> {
    const { environmentContext, tools } = input;
    return this.agent.start(
      {
        ...said,
        sessionId: thread.sessionId,
        frontendTools: tools.definitions,
        ...(environmentContext.length > 0 && { environmentContext }),
      },
      { ...options, frontend: 'park' },
    );
  }

  /** The session's messages now. */
  transcriptOf({ thread, options }: AgUiRequest): Promise<readonly TranscriptMessage[]> {
    return this.sessions.transcript(thread.sessionId, options);
  }

  private async turnOf(request: AgUiRequest, run: Thread['run']): Promise<Turn> {
    const stored = run === undefined ? [] : await this.transcriptOf(request);
    const plan = planOf(request.input, run, stored);
    return { plan, stored, pending: run?.pendingActions ?? [] };
  }

  private async runOf(request: AgUiRequest, plan: AgUiPlan): Promise<Pick<Turn, 'run'>> {
    const { input, thread, options } = request;
    if (plan.type === 'start') return { run: await this.start(request, plan.said) };
    if (plan.type !== 'resume' || thread.run === undefined) return {};
    const run = await this.agent.resume(thread.run.runId, plan.actions, {
      ...options,
      sessionId: thread.sessionId,
      frontend: 'park',
      frontendTools: input.tools.definitions,
    });
    return { run };
  }
}
