import { addUsage, NO_USAGE, toolUsesOf } from '../message';
import type { JsonObject, ResultContent, RunStatus, StopReason, Usage } from '../message';
import type { SessionEntry, StoredFailure } from './session-entry';

/** A call that a run made, with its result once there is one. */
export interface RunCall {
  /** The call's id. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly input: JsonObject;
  /** As in the `tool_use` block: what the model wrote instead of arguments. */
  readonly malformedInput?: string;
  /** What the model reads; missing while the call is open. */
  readonly output?: ResultContent;
  /** Whether `output` says why there is no result; missing while the call is open. */
  readonly isError?: boolean;
  /** Milliseconds that the tool took; missing while the call is open. */
  readonly durationMs?: number;
}

/** What the journal tells of one run. */
export interface RunState {
  /** The run's id. */
  readonly runId: string;
  /** The model's name in the module's options; missing for the default one. */
  readonly model?: string;
  /** What the client told of the user's surroundings. */
  readonly environmentContext?: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  /** Where the run stands. */
  readonly status: RunStatus;
  /** Why it stopped; missing while it runs. */
  readonly stopReason?: StopReason;
  /** The run's closing message; set once it is finished. */
  readonly message?: string;
  /** Why it failed; missing where its process died. */
  readonly failure?: StoredFailure;
  /** Steps that finished. */
  readonly steps: number;
  /** What its model calls consumed together. */
  readonly usage: Usage;
  /** That of the last event when the run parked or finished, else 0. */
  readonly seq: number;
  /** Its calls, in order. */
  readonly calls: readonly RunCall[];
}

/** A run's state after one more entry of its session's journal; entries of other runs pass by. */
export function applyToRun(
  run: RunState | undefined,
  runId: string,
  entry: SessionEntry,
): RunState | undefined {
  if (!('runId' in entry) || entry.runId !== runId) return run;
  if (entry.type === 'run.started') {
    const { model, environmentContext, startedAt } = entry;
    return {
      runId,
      model,
      ...(environmentContext && { environmentContext }),
      startedAt,
      status: 'running',
      steps: 0,
      usage: NO_USAGE,
      seq: 0,
      calls: [],
    };
  }
  if (entry.type === 'compacted') {
    const checkpointed = entry.state.run ?? run;
    return checkpointed?.runId === runId ? checkpointed : run;
  }
  return run && advance(run, entry);
}

/**
 * A run's state, from its session's journal; `undefined` where the entries do not hold its start.
 */
export function runStateOf(entries: Iterable<SessionEntry>, runId: string): RunState | undefined {
  let run: RunState | undefined;
  for (const entry of entries) run = applyToRun(run, runId, entry);
  return run;
}

function advance(run: RunState, entry: SessionEntry): RunState {
  switch (entry.type) {
    case 'message':
      return withCalls(run, entry);
    case 'call.settled':
      return settled(run, entry);
    case 'action.answered':
      return entry.answer.type === 'approve' && entry.answer.input
        ? changed(run, entry.callId, { input: entry.answer.input })
        : run;
    case 'step.finished':
      return { ...run, steps: entry.step, usage: addUsage(run.usage, entry.usage) };
    case 'run.parked':
      return { ...run, status: 'requires_action', stopReason: 'requires_action', seq: entry.seq };
    case 'run.resumed':
      return { ...run, status: 'running', stopReason: undefined };
    case 'run.finished': {
      const { status, stopReason, message, usage, seq, failure } = entry;
      return { ...run, status, stopReason, message, usage, seq, ...(failure && { failure }) };
    }
    case 'run.started':
    case 'call.started':
    case 'action.required':
    case 'groups.changed':
    case 'permission.remembered':
    case 'permission.revoked':
    case 'compacted':
      return run;
  }
}

function withCalls(
  run: RunState,
  { message }: Extract<SessionEntry, { type: 'message' }>,
): RunState {
  const calls = toolUsesOf(message).map(({ id, name, input, malformedInput }) => ({
    id,
    name,
    input,
    ...(malformedInput !== undefined && { malformedInput }),
  }));
  return calls.length === 0 ? run : { ...run, calls: [...run.calls, ...calls] };
}

function settled(
  run: RunState,
  { result, durationMs }: Extract<SessionEntry, { type: 'call.settled' }>,
): RunState {
  return changed(run, result.tool_use_id, {
    output: result.content,
    isError: result.is_error,
    durationMs,
  });
}

/** Some providers number calls anew in every step, so an id means its last call without a result. */
function changed(run: RunState, callId: string, change: Partial<RunCall>): RunState {
  const isOpen = (call: RunCall): boolean => call.id === callId && call.output === undefined;
  const index = run.calls.findIndex(isOpen);
  const call = run.calls[index];
  return call ? { ...run, calls: run.calls.with(index, { ...call, ...change }) } : run;
}
