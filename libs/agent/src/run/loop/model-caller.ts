import { toolUsesOf, type Usage } from '../../message';
import {
  type AskModel,
  askObserved,
  type CallWatch,
  type ModelEvent,
  type ModelRequest,
  observedModel,
  refusesMedia,
} from '../../model';
import { type PieceBody, refusedFrom, type SessionState, withoutRefused } from '../../session';
import type { ObservedModel, ObservedModelCall } from '../../telemetry';
import { isShownPieceByPiece, newCallId, notSeen, type ToolOf, toolsOf } from '../request';
import type { LoopServices } from './loop-services';
import { type LoopRequest, messagesFor, surroundingsOf } from './model-request';
import { hasRunTools, takeTurn, type ModelTurn } from './model-turn';
import { toolsForModel } from './offered-tools';
import { runOriginOf, type RunContext, runFailureOf } from '../context';
import { estimateUsage, type RunTotals } from '../spending';

/** Builds the model's requests, streams the answers, and compacts a history that is too long. */
export class ModelCaller {
  private readonly totals: RunTotals;
  private readonly toolOf: ToolOf;
  private readonly watch: CallWatch;
  private asked: ObservedModel;
  private hasBegun = false;
  /** Where attachments begin that are left out, until an answer shows that this helps. */
  private withoutFrom: number | undefined;
  /** The tokens of the last answer, not yet reported to telemetry. */
  private unreported: Usage | undefined;

  constructor(
    private readonly run: RunContext,
    private readonly request: LoopRequest,
    private readonly services: LoopServices,
  ) {
    this.totals = run.totals;
    this.toolOf = toolsOf(services.catalog, run.tools);
    this.asked = observedModel(request.model);
    this.watch = {
      shownInput: (name, input) => services.calls.shownInput(this.toolOf(name), input),
      asking: (model) => (this.asked = model),
    };
    const { messages, formerCallIds = [], run: { asked } = {} } = run.journal.state;
    const known = messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
    for (const id of [...formerCallIds, ...(asked?.callIds ?? []), ...known]) run.callIds.add(id);
  }

  /** Returns the next step's answer; by then `step.started` was sent. */
  async call(): Promise<ModelTurn> {
    this.hasBegun = false;
    const turn = await this.answer();
    this.totals.add(turn.usage, this.request.model.name);
    this.unreported = turn.usage;
    this.begin();
    return turn;
  }

  /**
   * Reports the last answer's tokens to telemetry if the journal has them. The tokens of an unstored
   * step are reported by the worker that repeats it.
   */
  tellUsage(): void {
    const { run, totals, unreported } = this;
    if (unreported === undefined || run.journal.state.run?.steps !== totals.steps) return;
    this.unreported = undefined;
    this.tell(unreported);
  }

  private async answer(): Promise<ModelTurn> {
    const surroundings = await this.surroundings();
    await this.compact(surroundings);
    let hasCompacted = false;
    for (let attempt = 1; ; attempt += 1) {
      const turn = await this.takeTurn(surroundings, attempt);
      if (!this.isRepeatable(turn)) return turn;
      if (refusesMedia(turn.failure)) {
        const from = refusedFrom(this.sentState());
        if (from === undefined) return turn;
        this.withoutFrom = from;
      } else {
        const isTooLong = runFailureOf(turn.failure).code === 'context_too_long';
        if (hasCompacted || !isTooLong || !(await this.compact(surroundings, true))) return turn;
        hasCompacted = true;
      }
    }
  }

  /** Neither streamed text nor effects of the provider's own tools can be undone. */
  private isRepeatable(turn: ModelTurn): turn is ModelTurn & Required<Pick<ModelTurn, 'failure'>> {
    return turn.failure !== undefined && !this.hasBegun && !hasRunTools(turn);
  }

  /** The history as the model receives it. */
  private sentState(): SessionState {
    const { run, request, withoutFrom } = this;
    const { state } = run.journal;
    const sent = withoutFrom === undefined ? state : withoutRefused(state, withoutFrom);
    return { ...sent, messages: messagesFor(request.model, sent.messages) };
  }

  /** Otherwise the provider would refuse every further request of the conversation. */
  private async keepLeftOut(from: number): Promise<void> {
    const { run, request } = this;
    await run.journal.append(notSeen(run.runId, request.model.name, from));
    this.withoutFrom = undefined;
  }

  /** The request without its messages. */
  private async surroundings(): Promise<Omit<ModelRequest, 'messages'>> {
    const { run, request, services, totals } = this;
    const { model } = request;
    const toolChoice = totals.steps === 0 ? request.toolChoice : undefined;
    const tools = await toolsForModel(run, { catalog: services.catalog, model }, toolChoice);
    const { steps } = totals;
    return surroundingsOf({ ...request, tools, toolChoice, steps, limits: services.options });
  }

  private async takeTurn(
    surroundings: Omit<ModelRequest, 'messages'>,
    attempt = 1,
  ): Promise<ModelTurn> {
    const { run, request } = this;
    const { messages } = this.sentState();
    const { withoutFrom } = this;
    const ask = this.asking(attempt === 1 ? 'step' : 'retry', attempt);
    const modelRequest: ModelRequest = { ...surroundings, messages };
    const turn = await takeTurn(request.model, modelRequest, {
      signal: run.abort.signal,
      emit: (piece) => {
        this.begin();
        if (this.isShown(piece)) run.emitter.emit(piece);
      },
      claimCallId: (modelId) => this.claimCallId(modelId),
      kindOf: (name) => this.toolOf(name)?.kind ?? 'function',
      ask: withoutFrom === undefined ? ask : askAfter(ask, () => this.keepLeftOut(withoutFrom)),
    });
    // The budget also holds for providers that report no usage, and quotas for callers who leave
    // before the end of each answer.
    const isUnanswered = !this.hasBegun && turn.content.length === 0;
    return turn.usage.totalTokens > 0 || (turn.failure !== undefined && isUnanswered)
      ? turn
      : { ...turn, usage: estimateUsage(modelRequest, turn.content) };
  }

  /** Asks the model within its telemetry hook. */
  private asking(reason: ObservedModelCall['reason'], attempt = 1): AskModel {
    const { run, request, watch } = this;
    const isCompacted = run.journal.state.wholeFrom !== undefined;
    const info = () => ({ ...runOriginOf(run), reason, attempt, isCompacted });
    return askObserved(request.model, run.telemetry, info, watch);
  }

  /** Sends `step.started` once per step, even if its model call is repeated. */
  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.run.emitter.emit({ type: 'step.started', step: this.totals.steps + 1 });
  }

  private isShown(piece: PieceBody): boolean {
    return piece.type !== 'tool.input.delta' || isShownPieceByPiece(piece.name, this.toolOf);
  }

  /** @returns whether the history was compacted */
  private async compact(
    surroundings: Omit<ModelRequest, 'messages'>,
    force = false,
  ): Promise<boolean> {
    const { run, request, services } = this;
    const usage = await services.compaction?.compact(
      run,
      request.model,
      surroundings,
      force,
      this.asking('compaction'),
      (wasted) => this.countWasted(wasted),
    );
    if (usage === undefined) return false;
    this.totals.add(usage, request.model.name);
    this.tell(usage);
    return true;
  }

  /** Counts tokens that no entry of the journal contains. */
  private countWasted(usage: Usage): void {
    const { run, request, services } = this;
    const { name: model } = request.model;
    this.totals.add(usage, model);
    const spending = { agent: run.agentName, model, usage, runs: 0, toolCalls: 0 };
    services.usage.record(run.principal, [spending]);
    this.tell(usage);
  }

  private tell(usage: Usage): void {
    if (usage.totalTokens === 0) return;
    this.run.telemetry.measure(() => ({ type: 'usage', ...this.asked, usage }));
  }

  /** The model's id, or a new one if it is empty or already used in this conversation. */
  private claimCallId(modelId: string): string {
    const { callIds } = this.run;
    const id = modelId !== '' && !callIds.has(modelId) ? modelId : newCallId();
    callIds.add(id);
    return id;
  }
}

/** Asks as `ask` does; of the answer, nothing is taken before the preparation is done. */
function askAfter(ask: AskModel, prepare: () => Promise<void>): AskModel {
  return async (request, signal, take) => {
    const waiting: ModelEvent[] = [];
    let preparing: Promise<void> | undefined;
    let isPrepared = false;
    try {
      await ask(request, signal, (events) => {
        if (isPrepared) {
          take(events);
          return;
        }
        waiting.push(...events);
        preparing ??= prepare().then(() => {
          isPrepared = true;
          take(waiting);
        });
        // The end of the answer reports it.
        preparing.catch(() => undefined);
      });
    } finally {
      await preparing;
    }
  };
}
