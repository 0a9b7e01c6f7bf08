import { batchesOf } from '../../message';
import { type ChatResult, type RunHandle, INTERNAL_FAILURE } from '../../run';
import type { TranscriptMessage } from '../../session';
import { type ErrorBody, failureOf, httpExceptionOf, logInternal, messageOf } from '../errors';
import { type AgentHttpOptions } from '../options';
import type { FrameWriter } from '../sse';
import { AgUiEncoder } from './ag-ui.encoder';
import type { AgUiRequest, AgUiTurns, Turn } from './ag-ui.turns';
import { type AgUiMessage, historyOf, stepsIn } from './history';
import { openActions } from './interrupts';

/** A request that is being answered. */
interface Answer {
  readonly request: AgUiRequest;
  readonly encoder: AgUiEncoder;
  readonly stream: FrameWriter;
}

/** Serves requests of AG-UI: each is one AG-UI run over none, one or two of our runs. */
export class AgUiRuns {
  constructor(
    private readonly turns: AgUiTurns,
    private readonly http: AgentHttpOptions,
  ) {}

  /**
   * Answers a request on its stream. A conflict with another request is reported on the stream: the
   * client's request itself is valid.
   *
   * @throws before the first frame, if the request is refused
   */
  async serve(request: AgUiRequest, stream: FrameWriter): Promise<void> {
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
      await stream.write(encoder.begin() + this.failed(encoder, error));
      return;
    }
    try {
      await stream.write(encoder.begin() + this.correction(request, turn, encoder));
      await this.replay({ request, encoder, stream }, turn);
    } catch (error) {
      await stream.write(this.failed(encoder, error));
    }
  }

  /**
   * CopilotKit adds a tool message to a call that waits for an approval. It is removed; otherwise two
   * results would remain.
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

  private async replay(answer: Answer, turn: Turn): Promise<void> {
    const { request, encoder, stream } = answer;
    const { plan, stored, pending, run } = turn;
    if (run === undefined) {
      const shown = plan.type === 'show' ? encoder.snapshot(this.historyOf(request, stored)) : '';
      await stream.write(shown + encoder.finish({ status: 'completed', pendingActions: pending }));
      return;
    }
    if (plan.type === 'start') await stream.write(await this.missingResults(answer, turn));
    const result = await this.toldRun(answer, run, turn);
    const last = await this.followed(answer, turn, result);
    const isFailed = last.status === 'failed';
    await stream.write(
      isFailed ? encoder.fail(last.error ?? INTERNAL_FAILURE) : encoder.finish(last),
    );
  }

  /** The message that came with answers starts a run after theirs, or waits. */
  private async followed(answer: Answer, { plan }: Turn, result: ChatResult): Promise<ChatResult> {
    if (plan.type !== 'resume' || plan.said === undefined) return result;
    const { request, stream } = answer;
    if (!canFollow(result)) {
      await stream.write(await this.waiting(answer));
      return result;
    }
    let next: RunHandle;
    try {
      next = await this.turns.start(request, plan.said);
    } catch (error) {
      await stream.write(await this.waiting(answer));
      throw error;
    }
    return this.toldRun(answer, next, { plan, stored: [] });
  }

  /** Writes the events of one run. */
  private async toldRun(
    answer: Answer,
    run: RunHandle,
    { plan, stored }: Pick<Turn, 'plan' | 'stored'>,
  ): Promise<ChatResult> {
    const { encoder, stream } = answer;
    const actions = plan.type === 'resume' ? plan.actions : [];
    const answered = actions.filter(({ type }) => type === 'result').map(({ callId }) => callId);
    encoder.enter(run, { steps: stepsIn(stored, run.runId), answered: new Set(answered) });
    for await (const batch of batchesOf(run.events())) {
      let frames = '';
      for (const event of batch) {
        frames += encoder.encode(event);
        if (event.type === 'step.discarded' && encoder.isInStep)
          frames += await this.takenBack(answer);
      }
      const caughtUp = stream.write(frames);
      if (caughtUp) await caughtUp;
    }
    const result = await run.finished;
    await stream.write(encoder.leave(result));
    return result;
  }

  /**
   * The results of calls that a message of the user has overtaken, and of those whose results the
   * client never received: its connection broke, or the process of their run died.
   */
  private async missingResults({ request, encoder }: Answer, { pending }: Turn): Promise<string> {
    const missing = new Set([...pending.map(({ callId }) => callId), ...request.input.unanswered]);
    if (missing.size === 0) return '';
    const history = this.historyOf(request, await this.turns.transcriptOf(request));
    return encoder.results(
      history.flatMap((message) =>
        message.role === 'tool' && missing.has(message.toolCallId) ? [message] : [],
      ),
    );
  }

  /**
   * Moves the user's message behind the answer that came first: clients append new messages, and only
   * a message at the end of their list is read. They keep the order of known messages, so it is removed
   * first.
   */
  private async waiting({ request, encoder }: Answer): Promise<string> {
    const history = this.historyOf(request, await this.turns.transcriptOf(request));
    const unanswered = unansweredBeside(history, request);
    return encoder.snapshot(history) + encoder.snapshot([...history, ...unanswered]);
  }

  /** Clients append repeated messages, so they get their list without the void messages. */
  private async takenBack({ request, encoder }: Answer): Promise<string> {
    const history = this.historyOf(request, await this.turns.transcriptOf(request));
    return encoder.withoutStep(history, unansweredBeside(history, request));
  }

  private historyOf(
    { input: { tools }, thread: { run } }: AgUiRequest,
    stored: readonly TranscriptMessage[],
  ): readonly AgUiMessage[] {
    const { sendReasoning } = this.http;
    return historyOf(stored, { run, sendReasoning, clientNameOf: tools.clientNameOf });
  }

  private failed(encoder: AgUiEncoder, error: unknown): string {
    logInternal(error);
    const { code } = failureOf(error).body as ErrorBody;
    return encoder.fail({ code, message: messageOf(httpExceptionOf(error)) });
  }
}

/** Messages of the request that no run has begun with. */
function unansweredBeside(
  history: readonly AgUiMessage[],
  { input }: AgUiRequest,
): readonly { readonly id?: unknown }[] {
  const known = new Set<unknown>(history.map(({ id }) => id));
  return input.trailing.map(({ message }) => message).filter(({ id }) => !known.has(id));
}

/** Whether another request is in the way, such as a run that writes to the session. */
function isConflict(error: unknown): boolean {
  return httpExceptionOf(error).getStatus() === 409;
}

/** Whether the user's message may begin a run: nothing waits that the client could answer first. */
function canFollow({ status, pendingActions }: ChatResult): boolean {
  if (status === 'completed') return true;
  if (status !== 'requires_action') return false;
  return (['approval', 'frontend'] as const).every(
    (kind) => openActions(kind, pendingActions).length === 0,
  );
}
