import { Inject, Injectable, Logger } from '@nestjs/common';
import { batchesOf, type PendingAction } from '../../message';
import {
  ActionConflictError,
  AgentService,
  type ChatResult,
  type RunHandle,
  SessionService,
  type StartOptions,
} from '../../run';
import type { TranscriptMessage } from '../../session';
import {
  type ErrorBody,
  failureOf,
  httpExceptionOf,
  isUntold,
  logFailure,
  UNTOLD,
} from '../errors';
import { type AgentHttpOptions, HTTP_OPTIONS } from '../options';
import { ClientThreads, type Thread } from '../threads';
import type { AgUiInput } from './ag-ui-input';
import { type AgUiPlan, planOf, type Said } from './ag-ui-plan';
import { AgUiEncoder } from './ag-ui.encoder';
import { type AgUiMessage, historyOf, stepsIn } from './history';
import { openApprovals, openFrontendCalls } from './interrupts';

/** One request of a client, in its session. */
interface Request {
  readonly input: AgUiInput;
  readonly thread: Thread;
  readonly options: StartOptions;
  readonly encoder: AgUiEncoder;
}

/** What a request comes to, with the session as it was then. */
interface Turn {
  readonly plan: AgUiPlan;
  readonly stored: readonly TranscriptMessage[];
  readonly pending: readonly PendingAction[];
  /** The continued or the new run, if there is one. */
  readonly run?: RunHandle;
}

/** Serves requests of AG-UI: each is one AG-UI run over none, one or two of our runs. */
@Injectable()
export class AgUiRuns {
  private readonly logger = new Logger('AgentHttp');

  constructor(
    private readonly agent: AgentService,
    private readonly sessions: SessionService,
    private readonly threads: ClientThreads,
    @Inject(HTTP_OPTIONS) private readonly http: AgentHttpOptions,
  ) {}

  /**
   * The frames of a request's stream. A conflict with another request is told on the stream: the
   * client's own conversation is at fault, not what it sent.
   *
   * @throws before the first frame, if the request is refused
   */
  async *framesOf(
    input: AgUiInput,
    thread: Thread,
    options: StartOptions,
  ): AsyncGenerator<string, void, undefined> {
    const encoder = new AgUiEncoder({
      threadId: String(input.threadId),
      runId: input.runId,
      isModern: input.isModern,
      sendReasoning: this.http.sendReasoning,
      clientNameOf: (name) => input.tools.clientNameOf(name),
    });
    const request = { input, thread, options, encoder };
    let turn: Turn;
    try {
      turn = await this.begin(request);
    } catch (error) {
      if (!isConflict(error)) throw error;
      yield encoder.begin() + this.failed(encoder, error);
      return;
    }
    yield encoder.begin() + this.correction(request, turn);
    try {
      yield* this.played(request, turn);
    } catch (error) {
      yield this.failed(encoder, error);
    }
  }

  /** @throws ActionConflictError never: what was answered elsewhere is no error here */
  private async begin(request: Request): Promise<Turn> {
    const { input, thread, options } = request;
    const turn = await this.turnOf(request, thread.run);
    try {
      return { ...turn, ...(await this.runOf(request, turn.plan)) };
    } catch (error) {
      if (!(error instanceof ActionConflictError)) throw error;
      // Another tab was faster, or it is too late.
      const now = await this.threads.find(thread.sessionId, options.principal);
      const without: Request = { ...request, input: { ...input, resume: [], results: new Map() } };
      const next = await this.turnOf(without, now?.run);
      const isRepeated = next.plan.type === 'start' && next.plan.said.replaceRun !== undefined;
      const plan: AgUiPlan = isRepeated ? { type: 'show' } : next.plan;
      return { ...next, plan, ...(await this.runOf(request, plan)) };
    }
  }

  private async turnOf({ input, thread, options }: Request, run: Thread['run']): Promise<Turn> {
    const stored = await this.transcriptOf(thread, options);
    return { plan: planOf(input, run, stored), stored, pending: run?.pendingActions ?? [] };
  }

  private async runOf(request: Request, plan: AgUiPlan): Promise<Pick<Turn, 'run'>> {
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

  private start({ input, thread, options }: Request, said: Said): Promise<RunHandle> {
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

  /**
   * CopilotKit adds a tool message to a call that waits for an approval. It is taken back, or two
   * results would stand.
   */
  private correction({ input, encoder }: Request, { plan, pending }: Turn): string {
    if (plan.type === 'show') return '';
    const approvals = new Set<unknown>(
      pending.filter(({ type }) => type === 'approval').map(({ callId }) => callId),
    );
    const kept = input.messages.filter(
      ({ role, toolCallId }) => role !== 'tool' || !approvals.has(toolCallId),
    );
    return kept.length === input.messages.length ? '' : encoder.snapshot(kept);
  }

  private async *played(request: Request, turn: Turn): AsyncGenerator<string, void, undefined> {
    const { encoder } = request;
    const { plan, stored, run } = turn;
    if (run === undefined) {
      const pendingActions = plan.type === 'interrupt' ? plan.approvals : [];
      if (plan.type === 'show') yield encoder.snapshot(this.historyOf(request.input, stored));
      yield encoder.finish({ status: 'completed', pendingActions });
      return;
    }
    if (plan.type === 'start') yield await this.abandoned(request, turn);
    let result = yield* this.told(request, run, turn);
    if (plan.type === 'resume' && plan.said) {
      if (canFollow(result)) {
        const next = await this.start(request, plan.said);
        result = yield* this.told(request, next, { ...turn, stored: [] });
      } else {
        yield await this.waiting(request);
      }
    }
    if (result.status === 'failed') yield encoder.fail(result.error ?? UNTOLD);
    else yield encoder.finish(result);
  }

  /** The results of calls that a message of the user has overtaken. */
  private async abandoned(
    { input, thread, options, encoder }: Request,
    turn: Turn,
  ): Promise<string> {
    if (turn.pending.length === 0) return '';
    const history = this.historyOf(input, await this.transcriptOf(thread, options));
    const overtaken = new Set(turn.pending.map(({ callId }) => callId));
    return encoder.results(
      history.flatMap((message) =>
        message.role === 'tool' && overtaken.has(message.toolCallId) ? [message] : [],
      ),
    );
  }

  /** The events of one run. */
  private async *told(
    { encoder }: Request,
    run: RunHandle,
    { plan, stored }: Turn,
  ): AsyncGenerator<string, ChatResult, undefined> {
    const actions = plan.type === 'resume' ? plan.actions : [];
    const answered = actions.filter(({ type }) => type === 'result').map(({ callId }) => callId);
    encoder.enter(run, { steps: stepsIn(stored, run.runId), answered: new Set(answered) });
    for await (const batch of batchesOf(run.events())) {
      yield batch.map((event) => encoder.encode(event)).join('');
    }
    const result = await run.finished;
    yield encoder.leave(result);
    return result;
  }

  private historyOf(
    { tools }: AgUiInput,
    stored: readonly TranscriptMessage[],
  ): readonly AgUiMessage[] {
    const { sendReasoning } = this.http;
    return historyOf(stored, { sendReasoning, clientNameOf: (name) => tools.clientNameOf(name) });
  }

  /**
   * Puts the user's message behind the answer that came first: clients append what they are told, and
   * only a message at the end of their list is read. They keep the order of what they have, so it is
   * taken out before.
   */
  private async waiting(request: Request): Promise<string> {
    const { encoder, input, thread, options } = request;
    const stored = await this.transcriptOf(thread, options);
    const history = this.historyOf(input, stored);
    const known = new Set<unknown>(history.map(({ id }) => id));
    const unsaid = input.trailing.filter(({ message }) => !known.has(message['id']));
    const whole = [...history, ...unsaid.map(({ message }) => message)];
    return encoder.snapshot(history) + encoder.snapshot(whole);
  }

  private transcriptOf(
    { sessionId }: Thread,
    { principal }: StartOptions,
  ): Promise<readonly TranscriptMessage[]> {
    return this.sessions.transcript(sessionId, principal === undefined ? {} : { principal });
  }

  private failed(encoder: AgUiEncoder, error: unknown): string {
    if (isUntold(error)) logFailure(this.logger, error);
    const { code, message } = failureOf(error).body as ErrorBody;
    return encoder.fail({
      code,
      message: typeof message === 'string' ? message : message.join(' '),
    });
  }
}

/** Whether another request is in the way, such as a run that writes to the session. */
function isConflict(error: unknown): boolean {
  return httpExceptionOf(error).getStatus() === 409;
}

/** Whether the user's message may begin a run: nothing waits that the client could answer first. */
function canFollow({ status, pendingActions }: ChatResult): boolean {
  if (status === 'completed') return true;
  if (status !== 'requires_action') return false;
  return openApprovals(pendingActions).length + openFrontendCalls(pendingActions).length === 0;
}
