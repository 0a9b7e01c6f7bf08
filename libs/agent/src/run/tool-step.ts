import { executeAll, type Settlement, type ToolCallFactory } from '../invocation';
import type { PendingAction, ToolUseBlock } from '../message';
import { LONGEST_TIMER_MS, type RunCall } from '../session';
import { isRepeatable, type Tool, type ToolCall } from '../tool';
import { CANNOT_ASK, CUT_OFF, NOT_OFFERED, NOT_RUN, OVER_BUDGET, REPEATED } from './call-endings';
import { endCalls, resultEntry, resultEvent, resultOf, type CallResult } from './call-results';
import { isLoop, withHint } from './repeated-calls';
import { callContextOf, type RunContext } from './run-context';

export interface ToolStepServices {
  readonly calls: ToolCallFactory;
  readonly parallel: boolean;
  readonly maxConcurrency: number;
  /** How long a pending action can be answered, in milliseconds. */
  readonly actionTimeoutMs: number;
}

interface ToolStepOptions extends ToolStepServices {
  /** How many calls the run's budget leaves. */
  readonly maxCalls?: number;
}

/** A call to make: the model's, or one that was approved. */
export interface RequestedCall {
  readonly use: ToolUseBlock;
  readonly isApproved?: boolean;
  /** The run's readers were told of it before. */
  readonly isAnnounced?: boolean;
}

/** What one step's calls came to. */
export interface ToolStepOutcome {
  /** Missing unless the run has to wait. */
  readonly pending: readonly PendingAction[];
  /** The model repeats itself to no end. */
  readonly isLooping: boolean;
}

/**
 * The calls of one step: each is created, announced, run unless it has to wait, and settled exactly
 * once, whatever happens. A call that may not run twice is on record before it starts.
 */
export function takeToolStep(
  run: RunContext,
  requested: readonly RequestedCall[],
  options: ToolStepOptions,
): Promise<ToolStepOutcome> {
  return new ToolStep(run, options).take(requested);
}

/** Settles calls of an answer that was cut off: it is not known what else the model wanted. */
export async function refuseCalls(
  run: RunContext,
  uses: readonly ToolUseBlock[],
  { calls }: Pick<ToolStepServices, 'calls'>,
): Promise<void> {
  if (uses.length === 0) return;
  for (const use of uses) {
    const { id: callId, name, input } = use;
    run.log.push({ type: 'tool.call', callId, name, kind: 'function', input });
    run.log.push(resultEvent(use, resultOf(CUT_OFF)));
  }
  await endCalls(
    run,
    calls,
    uses.map((call) => ({ call, settlement: CUT_OFF })),
  );
}

class ToolStep {
  private readonly results = new Map<string, CallResult>();
  private readonly approved = new Set<string>();
  private readonly writes: Promise<void>[] = [];
  private pending: PendingAction[] = [];
  private isLooping = false;

  constructor(
    private readonly run: RunContext,
    private readonly options: ToolStepOptions,
  ) {}

  async take(requested: readonly RequestedCall[]): Promise<ToolStepOutcome> {
    const { parallel, maxConcurrency } = this.options;
    const created = await Promise.all(requested.map((each) => this.create(each)));
    const runnable = created.filter((call, index) => this.isRunnable(call, requested, index));
    await executeAll(runnable, {
      parallel,
      maxConcurrency,
      execute: (call) => this.execute(call),
    });
    if (this.isStopped) {
      // Nothing waits any more: what did not run is told so.
      for (const { use } of requested) this.end(use, NOT_RUN).catch(ignore);
      this.pending = [];
    }
    await Promise.all(this.writes);
    return { pending: this.pending, isLooping: this.isLooping };
  }

  private create({ use, isApproved }: RequestedCall): Promise<ToolCall> {
    const { run, options, results } = this;
    return options.calls.create(use.name, use.malformedInput ?? use.input, {
      ...callContextOf(run),
      callId: use.id,
      ...(isApproved && { approved: true }),
      emit: (data) => {
        // What a tool says after its result belongs to nobody.
        if (!results.has(use.id)) run.log.push({ type: 'tool.progress', callId: use.id, data });
      },
    });
  }

  /** Announces a call and sees to one that does not run now. */
  private isRunnable(call: ToolCall, requested: readonly RequestedCall[], index: number): boolean {
    const { run, options } = this;
    const { isApproved = false, isAnnounced = false } = requested[index] ?? {};
    const { id: callId, name, input, tool, response } = call;
    if (!isAnnounced) {
      run.log.push({ type: 'tool.call', callId, name, kind: tool?.kind ?? 'function', input });
    }
    if (isApproved) this.approved.add(callId);
    const isFifth = isLoop(this.callsSoFar(), callId);
    if (isFifth) this.isLooping = true;
    const isAsking = response.status === 'awaiting_approval';
    if (!isAsking && response.status !== 'pending') {
      this.settle(call).catch(ignore);
    } else if (isFifth) {
      this.end(call, REPEATED).catch(ignore);
    } else if (index >= (options.maxCalls ?? Infinity) && !isApproved) {
      this.end(call, OVER_BUDGET).catch(ignore);
    } else if (tool && isLeftToClient(tool, run)) {
      this.end(call, NOT_OFFERED).catch(ignore);
    } else if (isAsking && run.unattended) {
      this.end(call, CANNOT_ASK).catch(ignore);
    } else if (isAsking) {
      this.pending.push(actionOf('approval', call, options.actionTimeoutMs));
    } else if (tool?.isAnsweredByCaller && run.frontend === 'park') {
      this.pending.push(actionOf('frontend', call, options.actionTimeoutMs));
    } else {
      return true;
    }
    return false;
  }

  private async execute(call: ToolCall): Promise<void> {
    if (this.isStopped) return;
    // Looked at again: the calls before it in this very step count as well.
    if (isLoop(this.callsSoFar(), call.id)) {
      this.isLooping = true;
      return this.end(call, REPEATED);
    }
    await start(this.run, call);
    await call.response.execute();
    await this.settle(call);
  }

  /** Gives a call the result that its response holds; that is on record already. */
  private settle({ id, name, response }: ToolCall): Promise<void> {
    const content = response.content ?? '';
    const result: CallResult = {
      content: withHint(this.callsSoFar(), id, content),
      isError: response.status !== 'executed',
      durationMs: Math.round(response.durationMs),
    };
    const { journal, runId } = this.run;
    return this.conclude({ id, name }, result, () =>
      journal.append(resultEntry(runId, id, result)),
    );
  }

  /** Gives a call that did not run the result that says why. */
  private end(
    call: Pick<ToolUseBlock, 'id' | 'name' | 'input'>,
    settlement: Settlement,
  ): Promise<void> {
    const approval = this.approved.has(call.id) ? 'approved' : 'none';
    return this.conclude(call, resultOf(settlement), () =>
      endCalls(this.run, this.options.calls, [{ call, settlement, approval }]),
    );
  }

  private conclude(
    call: Pick<ToolUseBlock, 'id' | 'name'>,
    result: CallResult,
    store: () => Promise<void>,
  ): Promise<void> {
    if (this.results.has(call.id)) return Promise.resolve();
    this.results.set(call.id, result);
    this.run.deliveries.close(call.id);
    this.run.log.push(resultEvent(call, result));
    const write = store();
    this.writes.push(write);
    return write;
  }

  /** The run's calls with the results they have, those that are still being stored included. */
  private callsSoFar(): readonly RunCall[] {
    const { calls = [] } = this.run.journal.state.run ?? {};
    return calls.map((call) => {
      const result = call.output === undefined ? this.results.get(call.id) : undefined;
      return result ? { ...call, output: result.content } : call;
    });
  }

  private get isStopped(): boolean {
    return this.isLooping || this.run.abort.signal.aborted;
  }
}

/** Where the client brings tools of its own, what changes something is left to it. */
export function isLeftToClient(tool: Tool, { unattended }: RunContext): boolean {
  return unattended?.isReadOnly === true && !tool.isAnsweredByCaller && !tool.traits.readOnly;
}

async function start(run: RunContext, call: ToolCall): Promise<void> {
  if (call.tool === undefined || !isRepeatable(call.tool.traits)) {
    await run.journal.append({ type: 'call.started', runId: run.runId, callId: call.id });
  }
  if (call.tool?.isAnsweredByCaller) {
    run.deliveries.announce(call.id);
    const { callId, name, input, expiresAt } = actionOf('frontend', call, call.tool.timeoutMs ?? 0);
    run.log.push({ type: 'frontend.call', callId, name, input, expiresAt });
  }
}

function actionOf(type: PendingAction['type'], call: ToolCall, timeoutMs: number): PendingAction {
  const expiresAt = new Date(Date.now() + Math.min(timeoutMs, LONGEST_TIMER_MS)).toISOString();
  return { type, callId: call.id, name: call.name, input: call.input, expiresAt };
}

/** The failure of a write reaches the run through `Promise.all(writes)`. */
function ignore(): void {}
