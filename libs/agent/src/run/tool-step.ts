import { executeAll, untilAborted, type RepeatedCalls, type ToolCallFactory } from '../invocation';
import type { PendingAction, ResultContent, ToolUseBlock } from '../message';
import { LONGEST_TIMER_MS, type SessionEntry } from '../session';
import type { ToolCall } from '../tool';
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

const NOT_RUN = 'The run was stopped before this call ran. It was not run.';
const CUT_OFF = 'The answer that asked for this call was cut off. It was not run.';
const OVER_BUDGET = "This call was not run: the run's budget of tool calls is used up.";
const CANNOT_ASK =
  'This call needs the approval of the user, who cannot be asked here. It was not run.';
const REPEATED =
  'This call was not run: it was made four times in a row with the same arguments and result.';

/**
 * The calls of one step: each is created, announced, run unless it has to wait, and settled exactly
 * once, whatever happens. A call that may not run twice is on record before it starts.
 */
export async function takeToolStep(
  run: RunContext,
  requested: readonly RequestedCall[],
  repeated: RepeatedCalls,
  services: ToolStepOptions,
): Promise<ToolStepOutcome> {
  const {
    calls: factory,
    parallel,
    maxConcurrency,
    actionTimeoutMs,
    maxCalls = Infinity,
  } = services;
  const settled = new Set<string>();
  const writes: Promise<void>[] = [];
  let isLooping = false;

  const settle = (id: string, name: string, result: SettledResult): Promise<void> => {
    if (settled.has(id)) return Promise.resolve();
    settled.add(id);
    run.deliveries.close(id);
    const { content, isError, durationMs } = result;
    run.log.push({
      type: 'tool.result',
      callId: id,
      name,
      output: content,
      isError,
      durationMs,
    });
    const write = run.journal.append({
      type: 'call.settled',
      runId: run.runId,
      result: { type: 'tool_result', tool_use_id: id, content, is_error: isError },
      durationMs,
    });
    writes.push(write);
    return write;
  };

  const refuse = ({ id, name }: { readonly id: string; readonly name: string }, why: string) =>
    settle(id, name, { content: why, isError: true, durationMs: 0 });
  /** Settles a call with its response. */
  const conclude = (call: ToolCall, asked: AskedCall): Promise<void> => {
    const result = resultOf(call);
    const hint = repeated.note(asked, result.content);
    return settle(call.id, call.name, hint ? withHint(result, hint) : result);
  };
  const stopLooping = (call: ToolCall): Promise<void> => {
    isLooping = true;
    return refuse(call, REPEATED);
  };

  // A permission or a check that never answers must not outlast the run.
  const created = await untilAborted(
    Promise.all(
      requested.map(({ use, isApproved }) => create(run, factory, use, isApproved, settled)),
    ),
    run.abort.signal,
  ).catch(ignore);
  if (created === undefined) {
    for (const { use, isAnnounced } of requested) {
      const { id: callId, name, input } = use;
      if (!isAnnounced) run.log.push({ type: 'tool.call', callId, name, kind: 'function', input });
      void refuse(use, NOT_RUN).catch(ignore);
    }
    await Promise.all(writes);
    return { pending: [], isLooping };
  }
  const pending: PendingAction[] = [];
  const runnable: ToolCall[] = [];
  for (const [index, call] of created.entries()) {
    const { response, tool } = call;
    if (!requested[index]?.isAnnounced) {
      run.log.push({
        type: 'tool.call',
        callId: call.id,
        name: call.name,
        kind: tool?.kind ?? 'function',
        input: call.input,
      });
    }
    if (index >= maxCalls && !requested[index]?.isApproved) {
      void refuse(call, OVER_BUDGET).catch(ignore);
    } else if (response.status === 'awaiting_approval' && run.unattended) {
      void refuse(call, CANNOT_ASK).catch(ignore);
    } else if (response.status === 'awaiting_approval') {
      pending.push(actionOf('approval', call, actionTimeoutMs));
    } else if (response.status !== 'pending') {
      const asked = askedOf(requested[index]?.use ?? call);
      const ending = repeated.isLoop(asked) ? stopLooping(call) : conclude(call, asked);
      void ending.catch(ignore);
    } else if (tool?.isAnsweredByCaller && run.frontend === 'park') {
      pending.push(actionOf('frontend', call, actionTimeoutMs));
    } else {
      runnable.push(call);
    }
  }

  await executeAll(runnable, {
    parallel,
    maxConcurrency,
    execute: async (call) => {
      if (run.abort.signal.aborted || isLooping) return;
      // Looked at again: the calls before it in this very step count as well.
      if (repeated.isLoop(call)) return stopLooping(call);
      await start(run, call);
      await call.response.execute();
      await conclude(call, call);
    },
  });

  if (run.abort.signal.aborted || isLooping) {
    // Nothing waits any more: what did not run is told so.
    for (const call of created) {
      void refuse(call, NOT_RUN).catch(ignore);
    }
    pending.length = 0;
  }
  await Promise.all(writes);
  return { pending, isLooping };
}

/** Settles calls of an answer that was cut off: it is not known what else the model wanted. */
export async function refuseCalls(run: RunContext, uses: readonly ToolUseBlock[]): Promise<void> {
  if (uses.length === 0) return;
  for (const { id: callId, name, input } of uses) {
    run.log.push({ type: 'tool.call', callId, name, kind: 'function', input });
    run.log.push({
      type: 'tool.result',
      callId,
      name,
      output: CUT_OFF,
      isError: true,
      durationMs: 0,
    });
  }
  await run.journal.append(
    ...uses.map(({ id }): SessionEntry => ({
      type: 'call.settled',
      runId: run.runId,
      result: { type: 'tool_result', tool_use_id: id, content: CUT_OFF, is_error: true },
      durationMs: 0,
    })),
  );
}

/** What makes two calls the same. */
type AskedCall = Pick<ToolCall, 'name' | 'input'>;

function askedOf({ name, input, malformedInput }: AskedCall & Partial<ToolUseBlock>): AskedCall {
  return { name, input: malformedInput === undefined ? input : { malformedInput } };
}

interface SettledResult {
  readonly content: ResultContent;
  readonly isError: boolean;
  readonly durationMs: number;
}

function create(
  run: RunContext,
  factory: ToolCallFactory,
  use: ToolUseBlock,
  isApproved: boolean | undefined,
  settled: ReadonlySet<string>,
): Promise<ToolCall> {
  return factory.create(use.name, use.malformedInput ?? use.input, {
    ...callContextOf(run),
    callId: use.id,
    ...(isApproved && { approved: true }),
    emit: (data) => {
      // What a tool says after its result belongs to nobody.
      if (!settled.has(use.id)) run.log.push({ type: 'tool.progress', callId: use.id, data });
    },
  });
}

async function start(run: RunContext, call: ToolCall): Promise<void> {
  const traits = call.tool?.traits;
  if (!traits?.readOnly && !traits?.idempotent) {
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

function resultOf({ response }: ToolCall): SettledResult {
  return {
    content: response.content ?? response.error?.message ?? NOT_RUN,
    isError: response.status !== 'executed',
    durationMs: Math.round(response.durationMs),
  };
}

function withHint(result: SettledResult, hint: string): SettledResult {
  const { content } = result;
  return {
    ...result,
    content:
      typeof content === 'string'
        ? `${content}\n\n${hint}`
        : [...content, { type: 'text', text: hint }],
  };
}

/** The failure of a write reaches the run through `Promise.all(writes)`. */
function ignore(): void {}
