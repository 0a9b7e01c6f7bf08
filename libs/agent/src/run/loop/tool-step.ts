import { executeAll, type Settlement } from '../../invocation';
import { inParallel, LONGEST_TIMER_MS } from '../../internal';
import type { PendingAction, ResultContent, ToolUseBlock } from '../../message';
import type { AnnouncedCall } from '../../session';
import { isRepeatable, type Tool, type ToolCall, toolDigest } from '../../tool';
import {
  CANNOT_ASK,
  CANNOT_WAIT,
  NOT_OFFERED,
  NOT_RUN,
  OUTCOME_UNKNOWN,
  OVER_BUDGET,
  REPEATED,
  UNANSWERED,
} from './call-endings';
import { approvedDigestOf, endCalls, resultEntry, shownBefore, announced } from './call-results';
import { type AwaitedAction, callContextOf, type RunContext, stopCauseOf } from '../context';
import type { LoopServices } from './loop-services';
import { type CallsSoFar, isLoop, withHint } from './repeated-calls';

/** As many calls of a step are checked at once. */
const MOST_CHECKS = 64;

/** A new call of the model, or an approved one. */
export interface RequestedCall {
  readonly use: ToolUseBlock;
  readonly isApproved?: boolean;
  readonly hasStarted?: boolean;
  /** Whether an earlier worker may have run it; its start need not be stored. */
  readonly mayHaveRun?: boolean;
}

export interface ToolStepOutcome {
  /** Empty unless the run must wait. */
  readonly pending: readonly AwaitedAction[];
  /** The model repeated the same call too often. */
  readonly isLooping: boolean;
}

/**
 * The calls of one step: creates, runs or parks each, and settles it exactly once. A call that must
 * not be repeated is stored before it starts.
 */
export class ToolStep {
  private requested: readonly RequestedCall[] = [];
  private readonly results = new Map<string, ResultContent>();
  private readonly approved = new Set<string>();
  private readonly writes: Promise<void>[] = [];
  private pending: AwaitedAction[] = [];
  private isLooping = false;

  /** @param maxCalls the remaining tool calls of the budget */
  constructor(
    private readonly run: RunContext,
    private readonly services: LoopServices,
    private readonly maxCalls = Infinity,
  ) {}

  /** Checks the calls. Nothing runs yet. */
  async create(requested: readonly RequestedCall[]): Promise<readonly ToolCall[]> {
    this.requested = requested;
    for (const { use, isApproved = false } of requested) if (isApproved) this.approved.add(use.id);
    const created: ToolCall[] = [];
    await inParallel([...requested.entries()], MOST_CHECKS, async ([index, each]) => {
      created[index] = await this.createOne(each);
    });
    return created;
  }

  /** Runs the calls that need no answer first. */
  async take(created: readonly ToolCall[]): Promise<ToolStepOutcome> {
    const { parallel, maxConcurrency } = this.services.defaults;
    const runnable = created.filter((call, index) => this.isRunnable(call, index));
    await executeAll(runnable, {
      parallel,
      maxConcurrency,
      execute: (call) => this.execute(call),
    });
    if (this.isStopped && !this.isSuspended) {
      // The run ends, so every open call is settled.
      const { openCalls } = this.run.journal.state;
      const begun = new Set(openCalls.flatMap(({ call, started }) => (started ? call.id : [])));
      for (const { use } of this.requested) {
        const isAsked = this.pending.some(
          ({ action }) => action.type === 'external' && action.callId === use.id,
        );
        const settlement = begun.has(use.id) ? OUTCOME_UNKNOWN : NOT_RUN;
        this.end(use, isAsked ? UNANSWERED : settlement).catch(ignore);
      }
      this.pending = [];
    }
    await Promise.all(this.writes);
    await this.run.asking.settled();
    return { pending: this.pending, isLooping: this.isLooping };
  }

  private createOne({ use, isApproved, hasStarted }: RequestedCall): Promise<ToolCall> {
    const { run, services, results } = this;
    const { state } = run.journal;
    return services.calls.create(use.name, use.malformedInput ?? use.input, {
      ...callContextOf(run),
      callId: use.id,
      ...shownBefore(state, use.id),
      ...(isApproved && { approved: true, ...approvedDigestOf(state, use.id, hasStarted) }),
      emit: (data) => {
        // Progress after the result is dropped.
        if (!results.has(use.id)) {
          run.emitter.emit({ type: 'tool.progress', callId: use.id, data });
        }
      },
    });
  }

  /** The checked calls for the entry of their answer. */
  announced(created: readonly ToolCall[]): readonly AnnouncedCall[] {
    return this.requested.map(({ use }, index) => {
      const call = created[index];
      return announced(use, call?.tool, call?.input, call && this.awaitedBy(call, index));
    });
  }

  /** The actor that a call waits for, if any. */
  private awaitedBy(call: ToolCall, index: number): PendingAction['type'] | undefined {
    if (this.refusalOf(call, index)) return undefined;
    const { tool, response } = call;
    if (response.status === 'awaiting_approval') return 'approval';
    return response.status === 'pending' ? tool?.answer?.from : undefined;
  }

  /** The end of a checked call that this run may not execute. */
  private refusalOf({ id, tool, response }: ToolCall, index: number): Settlement | undefined {
    const { run } = this;
    if (index >= this.maxCalls && !this.approved.has(id)) return OVER_BUDGET;
    if (tool && isLeftToClient(tool, run)) return NOT_OFFERED;
    if (response.status === 'awaiting_approval') {
      if (this.requested[index]?.mayHaveRun) return OUTCOME_UNKNOWN;
      if (run.unattended) return CANNOT_ASK;
    }
    return tool && cannotWait(tool, run) ? CANNOT_WAIT : undefined;
  }

  /** Whether a call runs now; settles or parks it otherwise. */
  private isRunnable(call: ToolCall, index: number): boolean {
    const { id: callId, tool, response } = call;
    const isFifth = isLoop(this.callsSoFar(), callId);
    if (isFifth) this.isLooping = true;
    const isAsking = response.status === 'awaiting_approval';
    const refusal = isFifth ? REPEATED : this.refusalOf(call, index);
    if (!isAsking && response.status !== 'pending') {
      this.settle(call).catch(ignore);
    } else if (refusal) {
      this.end(call, refusal).catch(ignore);
    } else if (isAsking) {
      this.wait('approval', call);
    } else if (tool?.answer?.from === 'frontend' && this.run.frontend === 'park') {
      this.wait('frontend', call);
    } else {
      return true;
    }
    return false;
  }

  private async execute(call: ToolCall): Promise<void> {
    if (this.isStopped) return;
    // Checked again: earlier calls of this step count too.
    if (isLoop(this.callsSoFar(), call.id)) {
      this.isLooping = true;
      return this.end(call, REPEATED);
    }
    await startCall(this.run, call);
    const { status } = await call.response.execute();
    // Another worker repeats it.
    if (this.isSuspended && status === 'interrupted' && call.tool && canGoOn(call.tool)) {
      this.run.deliveries.close(call.id);
      return;
    }
    if (status !== 'awaiting_result') await this.settle(call);
    else if (call.tool?.asks === undefined)
      this.wait('external', call, call.tool?.answer?.timeoutMs);
    else this.waitForAgent(call);
  }

  private waitForAgent({ id }: ToolCall): void {
    const actions = this.run.asking.awaited(id);
    this.pending.push(...actions.map((action) => ({ action, via: id })));
  }

  private wait(
    type: PendingAction['type'],
    { id: callId, name, input, tool }: ToolCall,
    timeoutMs = this.services.options.actionTimeoutMs,
  ): void {
    const expiresAt = expiryAfter(timeoutMs);
    this.pending.push({
      action: { type, callId, name, input, expiresAt },
      ...(type === 'approval' && tool && { toolDigest: toolDigest(tool) }),
    });
  }

  /** Stores the result of a response, which has its audit record already. */
  private settle(call: ToolCall): Promise<void> {
    const { id, response } = call;
    const content = withHint(this.callsSoFar(), id, response.content ?? '');
    const { journal, runId, asking } = this.run;
    const isLeft = call.tool?.asks !== undefined && response.status !== 'executed';
    return this.conclude(id, content, async () => {
      // A guard may refuse the caller now, while the asked agent still waits.
      const ends = isLeft ? await asking.conclude(this.run, [call]) : undefined;
      // Stopped before it went on, the call has the effects of its beginning.
      const wasBegun = this.requested.some(({ use, hasStarted }) => hasStarted && use.id === id);
      const end = wasBegun && response.status === 'interrupted' ? ends?.get(id) : undefined;
      const result = end?.content ?? content;
      await journal.append(resultEntry(runId, id, response, result, response.durationMs));
    });
  }

  /** Stores the settlement of a call that did not run. */
  private end(
    call: Pick<ToolUseBlock, 'id' | 'name' | 'input'>,
    settlement: Settlement,
  ): Promise<void> {
    const approval = this.approved.has(call.id) ? 'approved' : 'none';
    return this.conclude(call.id, settlement.content, () =>
      endCalls(this.run, this.services.calls, [{ call, settlement, approval }]),
    );
  }

  private conclude(
    callId: string,
    content: ResultContent,
    store: () => Promise<void>,
  ): Promise<void> {
    if (this.results.has(callId)) return Promise.resolve();
    this.results.set(callId, content);
    this.run.deliveries.close(callId);
    this.run.asking.close(callId);
    const write = store();
    this.writes.push(write);
    return write;
  }

  private callsSoFar(): CallsSoFar {
    const { calls = [] } = this.run.journal.state.run ?? {};
    return { calls, results: this.results };
  }

  /** Calls that have not started stay open, for another worker. */
  private get isSuspended(): boolean {
    const { abort, worker } = this.run;
    return !this.isLooping && worker !== undefined && stopCauseOf(abort.signal) === 'suspended';
  }

  private get isStopped(): boolean {
    return this.isLooping || this.run.abort.signal.aborted;
  }
}

/** Stores the start of a call that must not be repeated, before it runs. */
async function startCall(run: RunContext, { id: callId, tool }: ToolCall): Promise<void> {
  const { runId, journal, deliveries } = run;
  const open = journal.state.openCalls.find(({ call }) => call.id === callId);
  if (tool?.answer?.from === 'frontend') {
    deliveries.announce(callId);
    // The browser received the call before this process took over the run.
    if (open?.started) return;
    const expiresAt = expiryAfter(tool.answer.timeoutMs ?? 0);
    await journal.append({ type: 'call.started', runId, callId, expiresAt });
  } else if (!open?.isRepeatable || tool === undefined || !isRepeatable(tool)) {
    await journal.append({ type: 'call.started', runId, callId });
  }
}

/** The deadline that ends after so many milliseconds; ISO 8601. */
function expiryAfter(timeoutMs: number): string {
  return new Date(Date.now() + Math.min(timeoutMs, LONGEST_TIMER_MS)).toISOString();
}

/** Clients with their own tools get only read-only tools of the server. */
export function isLeftToClient(tool: Tool, { unattended }: RunContext): boolean {
  return unattended?.isReadOnly === true && tool.origin !== 'client' && !tool.traits.readOnly;
}

/** Stateless runs cannot wait for an external answer. */
export function cannotWait({ answer }: Tool, { unattended }: RunContext): boolean {
  return unattended !== undefined && answer?.from === 'external';
}

/** Whether another worker may execute a call that has started here. */
function canGoOn(tool: Tool): boolean {
  return isRepeatable(tool) || tool.answer?.from === 'frontend';
}

/** A failed write rejects `Promise.all(writes)`. */
function ignore(): void {}
