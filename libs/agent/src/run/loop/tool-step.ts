import { executeAll, type Settlement, type ToolCallFactory } from '../../invocation';
import type { PendingAction, ToolUseBlock } from '../../message';
import { LONGEST_TIMER_MS } from '../../internal';
import type { RunCall } from '../../session';
import { isRepeatable, type Tool, type ToolCall } from '../../tool';
import {
  CANNOT_ASK,
  CANNOT_WAIT,
  CUT_OFF,
  NOT_OFFERED,
  NOT_RUN,
  OVER_BUDGET,
  REPEATED,
  UNANSWERED,
} from './call-endings';
import { endCalls, outcomeOf, resultEntry, resultOf, type CallResult } from './call-results';
import type { NewEntry } from '../record';
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
}

/** What one step's calls came to. */
export interface ToolStepOutcome {
  /** Empty unless the run has to wait. */
  readonly pending: readonly PendingAction[];
  /** The model repeats itself to no end. */
  readonly isLooping: boolean;
}

/** Settles calls of an answer that was cut off: it is not known what else the model wanted. */
export async function refuseCalls(
  run: RunContext,
  uses: readonly ToolUseBlock[],
  { calls }: Pick<ToolStepServices, 'calls'>,
  answer: NewEntry,
): Promise<void> {
  const ended = uses.map((call) => ({ call, settlement: CUT_OFF }));
  await endCalls(run, calls, ended, { before: [answer] });
}

/**
 * The calls of one step: each is created, run unless it has to wait, and settled exactly once,
 * whatever happens. A call that may not run twice is on record before it starts.
 */
export class ToolStep {
  private requested: readonly RequestedCall[] = [];
  private readonly results = new Map<string, CallResult>();
  private readonly approved = new Set<string>();
  private readonly writes: Promise<void>[] = [];
  private pending: PendingAction[] = [];
  private isLooping = false;

  constructor(
    private readonly run: RunContext,
    private readonly options: ToolStepOptions,
  ) {}

  /** Checks the calls. Nothing runs yet. */
  create(requested: readonly RequestedCall[]): Promise<readonly ToolCall[]> {
    this.requested = requested;
    for (const { use, isApproved = false } of requested) if (isApproved) this.approved.add(use.id);
    return Promise.all(requested.map((each) => this.createOne(each)));
  }

  /** Runs what was created and may run now. */
  async take(created: readonly ToolCall[]): Promise<ToolStepOutcome> {
    const { parallel, maxConcurrency } = this.options;
    const runnable = created.filter((call, index) => this.isRunnable(call, index));
    await executeAll(runnable, {
      parallel,
      maxConcurrency,
      execute: (call) => this.execute(call),
    });
    if (this.isStopped) {
      // Nothing waits any more: what did not run is told so.
      for (const { use } of this.requested) {
        const isAsked = this.pending.some(
          ({ type, callId }) => type === 'external' && callId === use.id,
        );
        this.end(use, isAsked ? UNANSWERED : NOT_RUN).catch(ignore);
      }
      this.pending = [];
    }
    await Promise.all(this.writes);
    return { pending: this.pending, isLooping: this.isLooping };
  }

  private createOne({ use, isApproved }: RequestedCall): Promise<ToolCall> {
    const { run, options, results } = this;
    return options.calls.create(use.name, use.malformedInput ?? use.input, {
      ...callContextOf(run),
      callId: use.id,
      ...(isApproved && { approved: true }),
      emit: (data) => {
        // What a tool says after its result belongs to nobody.
        if (!results.has(use.id)) {
          run.telling.say({ type: 'tool.progress', callId: use.id, data });
        }
      },
    });
  }

  /** Who has to act before a call can have a result; `undefined` where it has one without them. */
  awaitedBy({ id, tool, response }: ToolCall, index: number): PendingAction['type'] | undefined {
    const { run, options } = this;
    const isOver = index >= (options.maxCalls ?? Infinity) && !this.approved.has(id);
    if (isOver || (tool && (isLeftToClient(tool, run) || cannotWait(tool, run)))) return undefined;
    if (response.status === 'awaiting_approval') return run.unattended ? undefined : 'approval';
    return response.status === 'pending' ? tool?.answer?.from : undefined;
  }

  /** Sees to a call that does not run now. */
  private isRunnable(call: ToolCall, index: number): boolean {
    const { run, options } = this;
    const { id: callId, tool, response } = call;
    const isApproved = this.approved.has(callId);
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
    } else if (tool && cannotWait(tool, run)) {
      this.end(call, CANNOT_WAIT).catch(ignore);
    } else if (isAsking) {
      this.wait('approval', call);
    } else if (tool?.answer?.from === 'frontend' && run.frontend === 'park') {
      this.wait('frontend', call);
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
    const { status } = await call.response.execute();
    if (status === 'awaiting_result') this.wait('external', call, call.tool?.answer?.timeoutMs);
    else await this.settle(call);
  }

  private wait(
    type: PendingAction['type'],
    { id: callId, name, input }: ToolCall,
    timeoutMs = this.options.actionTimeoutMs,
  ): void {
    this.pending.push({ type, callId, name, input, expiresAt: expiryAfter(timeoutMs) });
  }

  /** Gives a call the result that its response holds; that is on record already. */
  private settle({ id, name, response }: ToolCall): Promise<void> {
    const content = response.content ?? '';
    const result: CallResult = {
      content: withHint(this.callsSoFar(), id, content),
      isError: response.status !== 'executed',
      durationMs: Math.round(response.durationMs),
      outcome: outcomeOf(response),
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
  return unattended?.isReadOnly === true && tool.origin !== 'client' && !tool.traits.readOnly;
}

/** Nobody keeps the run until somebody else answers. */
export function cannotWait({ answer }: Tool, { unattended }: RunContext): boolean {
  return unattended !== undefined && answer?.from === 'external';
}

async function start(run: RunContext, { id: callId, tool }: ToolCall): Promise<void> {
  const { runId, journal, deliveries } = run;
  const isOnce = tool === undefined || !isRepeatable(tool.traits);
  if (tool?.answer?.from === 'frontend') {
    deliveries.announce(callId);
    const expiresAt = expiryAfter(tool.answer.timeoutMs ?? 0);
    await journal.append({ type: 'call.started', runId, callId, expiresAt });
  } else if (isOnce) {
    await journal.append({ type: 'call.started', runId, callId });
  }
}

function expiryAfter(timeoutMs: number): string {
  return new Date(Date.now() + Math.min(timeoutMs, LONGEST_TIMER_MS)).toISOString();
}

/** The failure of a write reaches the run through `Promise.all(writes)`. */
function ignore(): void {}
