import type { ToolCatalog } from '../invocation';
import {
  addUsage,
  textOf,
  toolUsesOf,
  type Message,
  type PendingAction,
  type Usage,
} from '../message';
import type { ChatModel, ModelRequest, ToolChoice } from '../model';
import type { RunCompaction } from './run-compaction';
import { budgetGuard, estimateUsage, isOverBudget } from './run-budget';
import type { RunContext } from './run-context';
import { RunEnding, type RunOutcome, type RunProgress } from './run-ending';
import { failureOf } from './run-failure';
import type { RunOptions } from './run-options';
import { BUDGET_MESSAGE, LOOP_MESSAGE, MAX_STEPS_MESSAGE } from './run.constants';
import { composeSystemPrompt } from './system-prompt';
import { newCallId } from './identifiers';
import { takeTurn, type ModelTurn } from './model-turn';
import { toolsForModel } from './offered-tools';
import { refuseCalls, takeToolStep, type RequestedCall, type ToolStepServices } from './tool-step';

export interface LoopServices extends ToolStepServices {
  /** Missing where histories are never compacted. */
  readonly compaction?: RunCompaction;
  readonly catalog: ToolCatalog;
  readonly options: RunOptions;
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
  readonly temperature?: number;
  readonly stop?: readonly string[];
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

  constructor(
    private readonly run: RunContext,
    private readonly request: LoopRequest,
    private readonly services: LoopServices,
  ) {
    this.ending = new RunEnding(run);
    const { state } = run.journal;
    this.knownCallIds = new Set(
      state.messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id)),
    );
    this.usage = state.run?.usage ?? { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
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
    let requested = approved;
    for (;;) {
      if (requested.length > 0) {
        const { pending, isLooping } = await this.act(requested);
        this.run.abort.signal.throwIfAborted();
        if (isLooping) return this.ending.conclude('loop', LOOP_MESSAGE, this.progress);
        if (pending.length > 0) return this.ending.park(pending, this.progress);
        if (!(this.step < this.services.options.maxSteps)) {
          return this.ending.conclude('max_steps', MAX_STEPS_MESSAGE, this.progress);
        }
      }
      const { usage, toolCalls } = this;
      const model = this.request.model.name;
      if (isOverBudget(this.services.options.budget, { usage, toolCalls, model })) {
        return this.ending.conclude('budget', BUDGET_MESSAGE, this.progress);
      }
      // A run may be stopped before it begins.
      this.run.abort.signal.throwIfAborted();
      const turn = await this.think();
      requested = toolUsesOf(turn).map((use) => ({ use }));
      if (requested.length === 0) {
        const stopReason = turn.finishReason === 'tool_use' ? 'end_turn' : turn.finishReason;
        return this.ending.finish(stopReason, this.progress);
      }
    }
  }

  private async think(): Promise<ModelTurn> {
    const { run } = this;
    const turn = await this.callModel();
    this.step += 1;
    this.usage = addUsage(this.usage, turn.usage);
    const message: Message = {
      role: 'assistant',
      content: turn.content,
      ...(turn.failure && { partial: true }),
    };
    this.lastText = textOf(message);
    const { usage, finishReason } = turn;
    const finished = { type: 'step.finished', step: this.step, usage, finishReason } as const;
    await run.journal.append(
      { type: 'message', runId: run.runId, message },
      { ...finished, runId: run.runId },
    );
    run.log.push(finished);
    if (turn.failure === undefined) return turn;
    await refuseCalls(run, toolUsesOf(turn), this.services);
    throw turn.failure;
  }

  private async callModel(): Promise<ModelTurn> {
    const { run, request, services } = this;
    const toolChoice = this.step === 0 ? request.toolChoice : undefined;
    const { model } = request;
    const tools = toolsForModel(run, { catalog: services.catalog, model }, toolChoice);
    const system = composeSystemPrompt(request.systemPrompt, tools, request.environmentContext);
    const { temperature, stop } = request;
    // A client may want less than the application allows, never more.
    const maxTokens = Math.min(request.maxTokens ?? Infinity, services.options.maxTokens);
    const surroundings: Omit<ModelRequest, 'messages'> = {
      ...(system !== undefined && { system }),
      tools: tools.map(({ definition }) => definition),
      ...(toolChoice && { toolChoice }),
      maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stop && { stop }),
    };
    await this.compact(surroundings);
    const turn = await this.takeTurn(surroundings);
    if (!isContextTooLong(turn) || !(await this.compact(surroundings, true))) return turn;
    return this.takeTurn(surroundings);
  }

  private async takeTurn(surroundings: Omit<ModelRequest, 'messages'>): Promise<ModelTurn> {
    const { run, request } = this;
    const modelRequest: ModelRequest = { ...surroundings, messages: run.journal.state.messages };
    const turn = await takeTurn(request.model, modelRequest, {
      signal: run.abort.signal,
      emit: (event) => run.log.push(event),
      claimCallId: (modelId) => this.claimCallId(modelId),
    });
    // A provider that does not count must not open the budget.
    return turn.usage.totalTokens > 0 || turn.failure !== undefined
      ? turn
      : { ...turn, usage: estimateUsage(modelRequest, turn.content) };
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

  private async act(requested: readonly RequestedCall[]): Promise<{
    readonly pending: readonly PendingAction[];
    readonly isLooping: boolean;
  }> {
    const { toolCalls = Infinity } = this.services.options.budget;
    const maxCalls = Math.max(0, toolCalls - this.toolCalls);
    this.toolCalls += requested.filter(({ isApproved }) => !isApproved).length;
    return takeToolStep(this.run, requested, { ...this.services, maxCalls });
  }

  /** The model's own id, unless it is empty or was used in this conversation before. */
  private claimCallId(modelId: string): string {
    const id = modelId !== '' && !this.knownCallIds.has(modelId) ? modelId : newCallId();
    this.knownCallIds.add(id);
    return id;
  }
}

function isContextTooLong({ failure }: ModelTurn): boolean {
  return failure !== undefined && failureOf(failure).code === 'context_too_long';
}
