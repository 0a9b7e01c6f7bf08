import type { Settlement } from '../../invocation';
import { textOf, toolUsesOf, type Message, type ToolUseBlock } from '../../message';
import { LeaseLostError } from '../../session';
import { failedEnd } from '../../telemetry';
import type { Tool } from '../../tool';
import type { NewEntry } from '../record';
import { BUDGET_MESSAGE, LOOP_MESSAGE, MAX_STEPS_MESSAGE } from '../request';
import { CUT_OFF, NOT_RUN, UNSTORED } from './call-endings';
import { endCalls, announced, mayHaveRun } from './call-results';
import type { LoopServices } from './loop-services';
import { ModelCaller } from './model-caller';
import type { LoopRequest } from './model-request';
import { hasRunTools, type ModelTurn } from './model-turn';
import { isStoreAway, limitDuration, runOriginOf, type RunContext, stopCauseOf } from '../context';
import { RunEnding, type RunOutcome } from './run-ending';
import type { RunTotals } from '../spending';
import { ToolStep, type RequestedCall, type ToolStepOutcome } from './tool-step';

type StepEntry = Extract<NewEntry, { type: 'step.finished' }>;

/** A model's answer with its entry, which is not stored yet. */
interface ThoughtTurn extends ModelTurn {
  readonly entry: StepEntry;
}

/**
 * The agent loop: model turns and tool steps, until an answer without tool calls. Its state is the
 * journal: each step is stored before the next one starts.
 */
export class AgentLoop {
  private readonly ending: RunEnding;
  private readonly totals: RunTotals;
  private readonly caller: ModelCaller;
  /** A broken off answer without calls: it is stored with the run's end. */
  private readonly broken: StepEntry[] = [];
  /** Whether no other worker may continue the run, although this one leaves. */
  private isFinal = false;

  constructor(
    private readonly run: RunContext,
    private readonly request: LoopRequest,
    private readonly services: LoopServices,
  ) {
    this.ending = new RunEnding(run);
    this.totals = run.totals;
    this.totals.begin(run.journal.state);
    this.caller = new ModelCaller(run, request, services);
  }

  /** Runs to the end, or until the run waits. Never rejects: a failure is an outcome. */
  async go(approved?: readonly RequestedCall[]): Promise<RunOutcome> {
    const release = limitDuration(this.run, this.services.options.budget);
    try {
      return await this.steps(approved);
    } catch (error) {
      await this.run.asking.settled();
      const outcome = await this.ending.breakOff(error, {
        lastStep: this.broken,
        isFinal: this.isFinal,
        settleRest: () => this.settleRest(error),
      });
      this.caller.tellUsage();
      return outcome;
    } finally {
      release();
    }
  }

  private async steps(approved: readonly RequestedCall[] = []): Promise<RunOutcome> {
    const { worker } = this.run;
    if (approved.length > 0) {
      const outcome = await this.observed('resume', () => this.actOn(approved, undefined));
      if (outcome) return outcome;
    }
    // The caller's own run was checked just before it started or continued.
    let isChecked = approved.length === 0 && this.run.askedBy === undefined;
    for (;;) {
      const isLeft = worker && (worker.isLeaving() || !(await worker.renew()));
      if (isLeft) return this.ending.suspend();
      if (!isChecked) await this.services.quotas.check(this.run.principal);
      isChecked = false;
      if (this.totals.isOverBudget(this.request.model.name)) {
        return this.ending.conclude('budget', BUDGET_MESSAGE);
      }
      // A run may be stopped before its first step.
      this.run.abort.signal.throwIfAborted();
      const outcome = await this.observed('start', () => this.takeStep());
      if (outcome) return outcome;
    }
  }

  /** Executes a step, or the rest of one, within its telemetry hook. */
  private observed(
    reason: 'start' | 'resume',
    work: () => Promise<RunOutcome | undefined>,
  ): Promise<RunOutcome | undefined> {
    const { run, totals } = this;
    return run.telemetry.around('step', {
      info: () => ({
        ...runOriginOf(run),
        step: reason === 'start' ? totals.steps + 1 : totals.steps,
        reason,
      }),
      work,
      end: () => ({ status: 'completed' }),
      failed: (error) => failedEnd(error, run.abort.signal),
    });
  }

  /**
   * Settles the calls whose results could not be stored, so that the run's end can be. If the store is
   * unavailable, the session's next message does this.
   *
   * @throws the run's error if another worker continues the run, or the lease is lost
   */
  private async settleRest(error: unknown): Promise<void> {
    const { run, services } = this;
    if (this.isInterrupted(error) && !this.isFinal) throw error;
    const { state } = run.journal;
    if (state.openCalls.length === 0) return;
    if (stopCauseOf(run.abort.signal) === 'lease_lost') throw new LeaseLostError();
    if (run.worker) throw error;
    const ended = state.openCalls.map((open) => {
      const settlement = mayHaveRun(state, open) ? UNSTORED : NOT_RUN;
      return { call: open.call, settlement };
    });
    await endCalls(run, services.calls, ended);
  }

  /** Whether a failure of the store, and no stop, interrupts a worker's run: another worker continues it. */
  private isInterrupted(error: unknown): boolean {
    const { worker, abort } = this.run;
    return worker !== undefined && !abort.signal.aborted && isStoreAway(error);
  }

  /** Settles calls without running them. @param entry the answer with them; missing if it is stored */
  private async refuse(
    uses: readonly ToolUseBlock[],
    entry: StepEntry | undefined,
    settlement: Settlement,
  ): Promise<void> {
    const before = entry ? [this.withCalls(entry, uses)] : [];
    const ended = uses.map((call) => ({ call, settlement }));
    await endCalls(this.run, this.services.calls, ended, { before });
  }

  /** The entry of an answer whose calls do not run here. */
  private withCalls(entry: StepEntry, uses: readonly ToolUseBlock[]): StepEntry {
    if (uses.length === 0) return entry;
    return { ...entry, calls: uses.map((use) => announced(use, this.toolOf(use.name))) };
  }

  private toolOf(name: string): Tool | undefined {
    return this.services.catalog.find(name, this.run);
  }

  /** Stores an answer that could not be stored with its calls or with the run's end. */
  private async keepAnswer(turn: ThoughtTurn, error: unknown): Promise<void> {
    const { run, totals } = this;
    const cause = stopCauseOf(run.abort.signal);
    const isStored = run.journal.state.run?.steps === totals.steps;
    if (isStored || cause === 'lease_lost') return;
    if (cause === 'suspended' || this.isInterrupted(error)) {
      // Another worker repeats the step, unless that would run the provider's own tools again.
      if (!hasRunTools(turn)) return;
      this.isFinal = true;
    }
    const message = { ...turn.entry.message, partial: true } as const;
    const entry = { ...turn.entry, message };
    await this.refuse(toolUsesOf(turn), entry, NOT_RUN).catch(() => undefined);
  }

  /** @returns the run's outcome, if it ends or waits */
  private async takeStep(): Promise<RunOutcome | undefined> {
    let turn: ThoughtTurn | undefined;
    try {
      turn = await this.think();
      if (turn.failure) {
        await this.breakOff(turn);
        throw turn.failure;
      }
      const requested = toolUsesOf(turn).map((use) => ({ use }));
      if (requested.length > 0) return await this.actOn(requested, turn);
      const stopReason = turn.finishReason === 'tool_use' ? 'end_turn' : turn.finishReason;
      return await this.ending.finish(stopReason, turn.entry);
    } catch (error) {
      if (turn && error !== turn.failure) await this.keepAnswer(turn, error);
      throw error;
    } finally {
      this.caller.tellUsage();
    }
  }

  /** @returns the run's outcome, if it ends or waits */
  private async actOn(
    requested: readonly RequestedCall[],
    turn: ThoughtTurn | undefined,
  ): Promise<RunOutcome | undefined> {
    const { totals } = this;
    const outcome = await this.act(requested, turn);
    if (outcome === undefined) return this.ending.suspend();
    const { pending, isLooping } = outcome;
    this.run.abort.signal.throwIfAborted();
    if (isLooping) return this.ending.conclude('loop', LOOP_MESSAGE);
    if (pending.length > 0) return this.ending.park(pending);
    if (totals.steps < this.services.options.maxSteps) return undefined;
    return this.ending.conclude('max_steps', MAX_STEPS_MESSAGE);
  }

  /** Calls the model. The answer is stored later, together with its calls or the run's end. */
  private async think(): Promise<ThoughtTurn> {
    const { run, totals } = this;
    const turn = await this.caller.call();
    totals.steps += 1;
    const { content, usage, finishReason, timing } = turn;
    const message: Message = {
      role: 'assistant',
      content,
      ...(turn.failure && { partial: true }),
    };
    totals.text = textOf(message);
    const entry: StepEntry = {
      ...run.emitter.takePieces(message),
      type: 'step.finished',
      runId: run.runId,
      step: totals.steps,
      message,
      usage,
      finishReason,
      timing,
    };
    return { ...turn, entry };
  }

  /** Stores an answer that broke off. */
  private async breakOff(turn: ThoughtTurn): Promise<void> {
    const { run } = this;
    // A repeated step would run the provider's own tools again.
    this.isFinal = hasRunTools(turn);
    const isGivenBack = run.worker && stopCauseOf(run.abort.signal) === 'suspended';
    if (isGivenBack && !this.isFinal) return this.discard(turn.entry);
    const uses = toolUsesOf(turn);
    if (uses.length === 0) this.broken.push(turn.entry);
    else await this.refuse(uses, turn.entry, CUT_OFF);
  }

  /** Marks the events of an interrupted step as void: another worker repeats the step. */
  private async discard({ seq }: StepEntry): Promise<void> {
    if (seq === undefined) return;
    const { runId, emitter, journal } = this.run;
    await journal.append({ type: 'step.discarded', runId, from: seq, to: emitter.lastGiven });
  }

  /**
   * Renews the caller's credential; if it is refused now, no call runs.
   *
   * @returns `false` if another worker must execute the calls
   */
  private async renewFor(
    requested: readonly RequestedCall[],
    turn: ThoughtTurn | undefined,
  ): Promise<boolean> {
    try {
      return (await this.run.worker?.renew()) ?? true;
    } catch (error) {
      const uses = requested.map(({ use }) => use);
      await this.refuse(uses, turn?.entry, NOT_RUN);
      throw error;
    }
  }

  /**
   * @param turn the answer with these calls; missing if it is already stored
   * @returns `undefined` if another worker must execute the calls
   */
  private async act(
    requested: readonly RequestedCall[],
    turn: ThoughtTurn | undefined,
  ): Promise<ToolStepOutcome | undefined> {
    const { run, services, totals } = this;
    if (!(await this.renewFor(requested, turn))) return this.leave(requested, turn);
    // Calls that are already in the journal were counted when they were made.
    const maxCalls = turn === undefined ? Infinity : totals.callsLeft;
    if (turn !== undefined) totals.addCalls(requested.length);
    const step = new ToolStep(run, services, maxCalls);
    const calls = await step.create(requested);
    if (turn !== undefined) {
      await run.journal.append({ ...turn.entry, calls: step.announced(calls) });
      // Before the tools: if this process dies while they run, no other reports this step.
      this.caller.tellUsage();
    }
    return step.take(calls);
  }

  /** Stores an answer whose calls another worker must execute. */
  private async leave(
    requested: readonly RequestedCall[],
    turn: ThoughtTurn | undefined,
  ): Promise<undefined> {
    if (turn === undefined) return;
    const uses = requested.map(({ use }) => use);
    await this.run.journal.append(this.withCalls(turn.entry, uses));
    this.caller.tellUsage();
  }
}
