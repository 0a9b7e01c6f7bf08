import { Inject, Injectable, Logger } from '@nestjs/common';
import { batchesOf } from '../../message';
import type { ChatResult, RunHandle } from '../../run';
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
import { AgUiEncoder } from './ag-ui.encoder';
import { type AgUiRequest, AgUiTurns, type Turn } from './ag-ui.turns';
import { type AgUiMessage, historyOf, stepsIn } from './history';
import { openApprovals, openFrontendCalls } from './interrupts';

/** Frames of a stream, and what is known at their end. */
type Frames<T = void> = AsyncGenerator<string, T, undefined>;

/** Serves requests of AG-UI: each is one AG-UI run over none, one or two of our runs. */
@Injectable()
export class AgUiRuns {
  private readonly logger = new Logger('AgentHttp');

  constructor(
    private readonly turns: AgUiTurns,
    @Inject(HTTP_OPTIONS) private readonly http: AgentHttpOptions,
  ) {}

  /**
   * The frames of a request's stream. A conflict with another request is told on the stream: there
   * is nothing wrong with what the client sent.
   *
   * @throws before the first frame, if the request is refused
   */
  async *framesOf(request: AgUiRequest): Frames {
    const { input } = request;
    const encoder = new AgUiEncoder({
      threadId: String(input.threadId),
      runId: input.runId,
      isModern: input.isModern,
      sendReasoning: this.http.sendReasoning,
      clientNameOf: input.tools.clientNameOf,
    });
    let turn: Turn;
    try {
      turn = await this.turns.begin(request);
    } catch (error) {
      if (!isConflict(error)) throw error;
      yield encoder.begin() + this.failed(encoder, error);
      return;
    }
    yield encoder.begin() + this.correction(request, turn, encoder);
    try {
      yield* this.served(request, turn, encoder);
    } catch (error) {
      yield this.failed(encoder, error);
    }
  }

  /**
   * CopilotKit adds a tool message to a call that waits for an approval. It is taken back, or two
   * results would stand.
   */
  private correction({ input }: AgUiRequest, turn: Turn, encoder: AgUiEncoder): string {
    if (turn.plan.type === 'show') return '';
    const approvals = new Set<unknown>(
      turn.pending.filter(({ type }) => type === 'approval').map(({ callId }) => callId),
    );
    const kept = input.messages.filter(
      ({ role, toolCallId }) => role !== 'tool' || !approvals.has(toolCallId),
    );
    return kept.length === input.messages.length ? '' : encoder.snapshot(kept);
  }

  private async *served(request: AgUiRequest, turn: Turn, encoder: AgUiEncoder): Frames {
    const { plan, stored, pending, run } = turn;
    if (run === undefined) {
      if (plan.type === 'show') yield encoder.snapshot(this.historyOf(request, stored));
      yield encoder.finish({ status: 'completed', pendingActions: pending });
      return;
    }
    if (plan.type === 'start') yield await this.abandoned(request, turn, encoder);
    const result = yield* this.told(run, turn, encoder);
    const last = yield* this.followed(request, turn, encoder, result);
    if (last.status === 'failed') yield encoder.fail(last.error ?? UNTOLD);
    else yield encoder.finish(last);
  }

  /** The message that came with answers starts a run after theirs, or waits. */
  private async *followed(
    request: AgUiRequest,
    { plan }: Turn,
    encoder: AgUiEncoder,
    result: ChatResult,
  ): Frames<ChatResult> {
    if (plan.type !== 'resume' || plan.said === undefined) return result;
    if (!canFollow(result)) {
      yield await this.waiting(request, encoder);
      return result;
    }
    let next: RunHandle;
    try {
      next = await this.turns.start(request, plan.said);
    } catch (error) {
      yield await this.waiting(request, encoder);
      throw error;
    }
    return yield* this.told(next, { plan, stored: [] }, encoder);
  }

  /** The events of one run. */
  private async *told(
    run: RunHandle,
    { plan, stored }: Pick<Turn, 'plan' | 'stored'>,
    encoder: AgUiEncoder,
  ): Frames<ChatResult> {
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

  /** The results of calls that a message of the user has overtaken. */
  private async abandoned(
    request: AgUiRequest,
    { pending }: Turn,
    encoder: AgUiEncoder,
  ): Promise<string> {
    if (pending.length === 0) return '';
    const overtaken = new Set(pending.map(({ callId }) => callId));
    const history = this.historyOf(request, await this.turns.transcriptOf(request));
    return encoder.results(
      history.flatMap((message) =>
        message.role === 'tool' && overtaken.has(message.toolCallId) ? [message] : [],
      ),
    );
  }

  /**
   * Puts the user's message behind the answer that came first: clients append what they are told, and
   * only a message at the end of their list is read. They keep the order of what they have, so it is
   * taken out before.
   */
  private async waiting(request: AgUiRequest, encoder: AgUiEncoder): Promise<string> {
    const history = this.historyOf(request, await this.turns.transcriptOf(request));
    const known = new Set<unknown>(history.map(({ id }) => id));
    const unsaid = request.input.trailing
      .map(({ message }) => message)
      .filter(({ id }) => !known.has(id));
    return encoder.snapshot(history) + encoder.snapshot([...history, ...unsaid]);
  }

  private historyOf(
    { input: { tools } }: AgUiRequest,
    stored: readonly TranscriptMessage[],
  ): readonly AgUiMessage[] {
    const { sendReasoning } = this.http;
    return historyOf(stored, { sendReasoning, clientNameOf: tools.clientNameOf });
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
