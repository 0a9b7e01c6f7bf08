import { shownInput } from '../../invocation';
import { addUsage, NO_USAGE, textOf, toolUsesOf, type Message, type Usage } from '../../message';
import {
  askObserved,
  type ChatModel,
  type ModelRequest,
  type ModelSettings,
  type ToolChoice,
} from '../../model';
import type { AnnouncedCall, PieceBody } from '../../session';
import { failedEnd, originOf } from '../../telemetry';
import type { ToolCall } from '../../tool';
import {
  BUDGET_MESSAGE,
  composeSystemPrompt,
  isShownPieceByPiece,
  LOOP_MESSAGE,
  MAX_STEPS_MESSAGE,
  newCallId,
  readable,
  type ToolOf,
  toolsOf,
} from '../request';
import type { LoopServices } from './loop-services';
import { budgetGuard, estimateUsage, isOverBudget } from './run-budget';
import type { RunContext } from './run-context';
import { RunEnding, type RunOutcome, type RunProgress } from './run-ending';
import { runFailureOf } from './run-failure';
import type { NewEntry } from '../record';
import { takeTurn, type ModelTurn } from './model-turn';
import { toolsForModel } from './offered-tools';
import { refuseCalls, ToolStep, type RequestedCall, type ToolStepOutcome } from './tool-step';

type StepEntry = Extract<NewEntry, { type: 'step.finished' }>;

/** A model's answer, and the entry that tells it. */
interface ThoughtTurn extends ModelTurn {
  readonly entry: StepEntry;
}

/** What one run asks of the model. */
export interface LoopRequest {
  readonly model: ChatModel;
  /** The application's own prompt, already resolved. */
  readonly systemPrompt: string;
  readonly environmentContext?: readonly string[];
  /** Applies to the first step. */
  readonly toolChoice?: ToolChoice;
  readonly maxTokens?: number;
  readonly settings?: ModelSettings;
}

/**
 * The agent loop: think, act, observe, until the model asks for no more tools. It keeps no state of
 * its own that matters: what was said and done stands in the journal before the next thing begins.
 */
export class AgentLoop {
  private readonly ending: RunEnding;
  private readonly knownCallIds: Set<string>;
  private usage: Usage;
  private step: number;
  private toolCalls: number;
  private lastText = '';
  private hasBegun = false;
  private readonly toolOf: ToolOf;

  constructor(
    private readonly run: RunContext,
    private readonly request: LoopRequest,
    private readonly services: LoopServices,
  ) {
    this.ending = new RunEnding(run);
    this.toolOf = toolsOf(services.catalog, run.tools);
    const { state } = run.journal;
    this.knownCallIds = new Set(
      state.messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id)),
    );
    this.usage = state.run?.usage ?? NO_USAGE;
    this.step = state.run?.steps ?? 0;
    this.toolCalls = state.run?.calls.length ?? 0;
  }

  /** Runs to the end, or to a wait. Never rejects: a failure is an outcome. */
  async go(approved?: readonly RequestedCall[]): Promise<RunOutcome> {
    const release = budgetGuard(this.run, this.services.options.budget);
    try {
      return await this.steps(approved);
    } catch (error) {
      return await this.ending.breakOff(error, this.progress);
    } finally {
      release();
    }
  }

  private get progress(): RunProgress {
    return { text: this.lastText, usage: this.usage };
  }

  private async steps(approved: readonly RequestedCall[] = []): Promise<RunOutcome> {
    if (approved.length > 0) {
      const outcome = await this.observed('resume', () => this.actOn(approved, undefined));
      if (outcome) return outcome;
    }
    for (;;) {
      const { usage, toolCalls } = this;
      const model = this.request.model.name;
      if (isOverBudget(this.services.options.budget, { usage, toolCalls, model })) {
        return this.ending.conclude('budget', BUDGET_MESSAGE, this.progress);
      }
      // A run may be stopped before it begins.
      this.run.abort.signal.throwIfAborted();
      const outcome = await this.observed('start', () => this.takeStep());
      if (outcome) return outcome;
    }
  }

  /** Does a step, or the rest of one, within its hook. */
  private observed(
    reason: 'start' | 'resume',
    work: () => Promise<RunOutcome | undefined>,
  ): Promise<RunOutcome | undefined> {
    const { run } = this;
    return run.telemetry.around('step', {
      info: () => ({
        ...originOf(run),
        step: reason === 'start' ? this.step + 1 : this.step,
        reason,
      }),
      work,
      end: () => ({ status: 'completed' }),
      failed: (error) => failedEnd(error, run.abort.signal),
    });
  }

  /** @returns how the run ends, where it does */
  private async takeStep(): Promise<RunOutcome | undefined> {
    const turn = await this.think();
    const requested = toolUsesOf(turn).map((use) => ({ use }));
    if (requested.length > 0) return this.actOn(requested, turn);
    const stopReason = turn.finishReason === 'tool_use' ? 'end_turn' : turn.finishReason;
    return this.ending.finish(stopReason, this.progress, turn.entry);
  }

  /** @returns how the run ends, where it does */
  private async actOn(
    requested: readonly RequestedCall[],
    turn: ThoughtTurn | undefined,
  ): Promise<RunOutcome | undefined> {
    const { pending, isLooping } = await this.act(requested, turn);
    this.run.abort.signal.throwIfAborted();
    if (isLooping) return this.ending.conclude('loop', LOOP_MESSAGE, this.progress);
    if (pending.length > 0) return this.ending.park(pending, this.progress);
    if (this.step < this.services.options.maxSteps) return undefined;
    return this.ending.conclude('max_steps', MAX_STEPS_MESSAGE, this.progress);
  }

  /** Calls the model. What it said is stored by whoever knows what goes together with it. */
  private async think(): Promise<ThoughtTurn> {
    const { run } = this;
    const turn = await this.callModel();
    this.begin();
    this.step += 1;
    this.hasBegun = false;
    this.usage = addUsage(this.usage, turn.usage);
    const message: Message = {
      role: 'assistant',
      content: turn.content,
      ...(turn.failure && { partial: true }),
    };
    this.lastText = textOf(message);
    const { usage, finishReason } = turn;
    const entry: StepEntry = {
      ...run.telling.takePieces(message),
      type: 'step.finished',
      runId: run.runId,
      step: this.step,
      message,
      usage,
      finishReason,
    };
    if (turn.failure === undefined) return { ...turn, entry };
    await refuseCalls(run, toolUsesOf(turn), this.services, entry);
    throw turn.failure;
  }

  private async callModel(): Promise<ModelTurn> {
    const { run, request, services } = this;
    const toolChoice = this.step === 0 ? request.toolChoice : undefined;
    const { model } = request;
    const tools = await toolsForModel(run, { catalog: services.catalog, model }, toolChoice);
    const system = composeSystemPrompt(request.systemPrompt, tools, request.environmentContext);
    // A client may want less than the application allows, never more.
    const maxTokens = Math.min(request.maxTokens ?? Infinity, services.options.maxTokens);
    const surroundings: Omit<ModelRequest, 'messages'> = {
      ...(system !== undefined && { system }),
      tools: tools.map(({ definition }) => definition),
      ...(toolChoice && { toolChoice }),
      maxTokens,
      maxContinuations: services.options.maxSteps - this.step - 1,
      ...request.settings,
    };
    await this.compact(surroundings);
    const turn = await this.takeTurn(surroundings);
    // What was said once is said.
    const isRepeatable = isContextTooLong(turn) && !this.hasBegun;
    if (!isRepeatable || !(await this.compact(surroundings, true))) return turn;
    return this.takeTurn(surroundings, 2);
  }

  private async takeTurn(
    surroundings: Omit<ModelRequest, 'messages'>,
    attempt = 1,
  ): Promise<ModelTurn> {
    const { run, request } = this;
    const messages = run.journal.state.messages.map((message) => {
      const content = readable(message.content, request.model.capabilities);
      return content === message.content ? message : { ...message, content };
    });
    const modelRequest: ModelRequest = { ...surroundings, messages };
    const turn = await takeTurn(request.model, modelRequest, {
      signal: run.abort.signal,
      emit: (piece) => {
        this.begin();
        if (this.isShown(piece)) run.telling.say(piece);
      },
      claimCallId: (modelId) => this.claimCallId(modelId),
      kindOf: (name) => this.toolOf(name)?.kind ?? 'function',
      ask: askObserved(request.model, run.telemetry, () => ({
        ...originOf(run),
        reason: attempt === 1 ? 'step' : 'retry',
        attempt,
      })),
    });
    // A provider that does not count must not open the budget.
    return turn.usage.totalTokens > 0 || turn.failure !== undefined
      ? turn
      : { ...turn, usage: estimateUsage(modelRequest, turn.content) };
  }

  /** Tells of the step once: a model call that is repeated before a word has not begun it. */
  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.run.telling.say({ type: 'step.started', step: this.step + 1 });
  }

  private isShown(piece: PieceBody): boolean {
    return piece.type !== 'tool.input.delta' || isShownPieceByPiece(piece.name, this.toolOf);
  }

  /** Makes room in the history where it has outgrown its threshold; answers whether it did. */
  private async compact(
    surroundings: Omit<ModelRequest, 'messages'>,
    force = false,
  ): Promise<boolean> {
    const { run, request, services } = this;
    const usage = await services.compaction?.compact(run, request.model, surroundings, force);
    if (usage === undefined) return false;
    this.usage = addUsage(this.usage, usage);
    return true;
  }

  /** @param turn the answer that asks for the calls; missing where it is stored already */
  private async act(
    requested: readonly RequestedCall[],
    turn: ThoughtTurn | undefined,
  ): Promise<ToolStepOutcome> {
    const { toolCalls = Infinity } = this.services.options.budget;
    const maxCalls = Math.max(0, toolCalls - this.toolCalls);
    this.toolCalls += requested.filter(({ isApproved }) => !isApproved).length;
    const step = new ToolStep(this.run, { ...this.services, maxCalls });
    const calls = await step.create(requested);
    if (turn !== undefined) {
      await this.run.journal.append({ ...turn.entry, calls: announced(calls, requested, step) });
    }
    return step.take(calls);
  }

  /** The model's own id, unless it is empty or was used in this conversation before. */
  private claimCallId(modelId: string): string {
    const id = modelId !== '' && !this.knownCallIds.has(modelId) ? modelId : newCallId();
    this.knownCallIds.add(id);
    return id;
  }
}

/** What readers are told of calls: how each is carried out, and what it will be made with. */
function announced(
  calls: readonly ToolCall[],
  requested: readonly RequestedCall[],
  step: ToolStep,
): readonly AnnouncedCall[] {
  return calls.map((call, index) => {
    const { id, tool, input } = call;
    const shown = shownInput(tool, input);
    const said = requested[index]?.use.input;
    const isSame = JSON.stringify(shown) === JSON.stringify(said);
    const awaits = step.awaitedBy(call, index);
    return {
      callId: id,
      kind: tool?.kind ?? 'function',
      ...(!isSame && { input: shown }),
      ...(awaits && { awaits }),
    };
  });
}

function isContextTooLong({ failure }: ModelTurn): boolean {
  return failure !== undefined && runFailureOf(failure).code === 'context_too_long';
}
