import {
  addUsage,
  type CallOutcome,
  type JsonObject,
  NO_USAGE,
  type ResultContent,
  type RunStatus,
  type StopReason,
  type ToolKind,
  toolUsesOf,
  type Usage,
} from '../../message';
import { defined } from '../../internal';
import type { TraceIds } from '../../telemetry';
import {
  applyToQueued,
  type EntryNumbers,
  type EntryOf,
  type QueuedState,
  type SessionEntry,
  type StoredFailure,
} from './entries';
import { placeOfCall, RUN_CALLS } from './run-calls';
import { numbersOf } from './entry-events';

/** A call of a run, with its result if there is one. */
export interface RunCall {
  /** The call's id. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** How it is executed; `function` if there is no such tool. */
  readonly kind: ToolKind;
  /** The arguments. */
  readonly input: JsonObject;
  /** The displayed arguments, if they differ. */
  readonly shownInput?: JsonObject;
  /** As in the `tool_use` block: the model's text that is not valid arguments. */
  readonly malformedInput?: string;
  /** The result for the model; missing while the call is open. */
  readonly output?: ResultContent;
  /** Whether `output` is an error; missing while the call is open. */
  readonly isError?: boolean;
  /** Milliseconds that the tool took; missing while the call is open. */
  readonly durationMs?: number;
  /** The call's outcome; missing while the call is open. */
  readonly outcome?: CallOutcome;
}

/** The state of one run, from the journal. */
export interface RunState {
  /** The run's id. */
  readonly runId: string;
  /** The model's name in the module's options; missing for the default one. */
  readonly model?: string;
  /** The model's own name. */
  readonly modelName: string;
  /** The client's description of the user's environment. */
  readonly environmentContext?: readonly string[];
  /** The client's model settings. */
  readonly modelOptions?: Readonly<Record<string, number | string>>;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The position of its first entry in the journal. */
  readonly position: number;
  /** The run's status. */
  readonly status: RunStatus;
  /** The reason of the stop; missing while the run is active. */
  readonly stopReason?: StopReason;
  /** The text of the run's last message; set once it has ended. */
  readonly message?: string;
  /** The failure; missing if the run did not fail. */
  readonly failure?: StoredFailure;
  /** The number of finished steps. */
  readonly steps: number;
  /** The tokens of all its model calls. */
  readonly usage: Usage;
  /** The number of the last event of the stored entries; 0 before any. */
  readonly lastSeq: number;
  /** The run's own span before it last waited; missing if it has none. */
  readonly waitedIn?: TraceIds;
  /** The span of the request that queued it; missing without one. */
  readonly requestedIn?: TraceIds;
  /** Its calls, in order. */
  readonly calls: readonly RunCall[];
  /** The work of the agents that it asked; missing if it asked none. */
  readonly asked?: AskedWork;
  /** Its state in the queue; missing unless workers execute it. */
  readonly queued?: QueuedState;
}

/** The work of the agents that a run asked. */
export interface AskedWork {
  /** The ids of their calls. */
  readonly callIds: readonly string[];
  /** Their tokens by the models' own names; `usage` of the run contains them. */
  readonly usage: Readonly<Record<string, Usage>>;
}

const NO_ASKED_WORK: AskedWork = { callIds: [], usage: {} };

/** Adds tokens of a model. */
function withAskedUsage(
  work: AskedWork = NO_ASKED_WORK,
  modelName: string,
  usage: Usage,
): AskedWork {
  const before = new Map(Object.entries(work.usage));
  before.set(modelName, addUsage(before.get(modelName) ?? NO_USAGE, usage));
  return { ...work, usage: Object.fromEntries(before) };
}

/** A run's state after one more entry of its session's journal; ignores entries of other runs. */
export function applyToRun(
  run: RunState | undefined,
  entry: SessionEntry & Partial<EntryNumbers>,
  position: number,
): RunState | undefined {
  const next =
    entry.type === 'run.started'
      ? begun(entry, position)
      : run && queuedOn(advance(run, entry), entry);
  if (next === undefined || entry.seq === undefined || !isOf(entry, next)) return next;
  const lastSeq = entry.seq + numbersOf(entry) - 1;
  return lastSeq > next.lastSeq ? { ...next, lastSeq } : next;
}

function isOf(entry: SessionEntry, { runId }: RunState): boolean {
  return 'runId' in entry && entry.runId === runId;
}

function begun(
  { runId, model, modelName, environmentContext, modelOptions, startedAt }: EntryOf<'run.started'>,
  position: number,
): RunState {
  return defined({
    runId,
    model,
    modelName,
    environmentContext,
    modelOptions,
    startedAt,
    position,
    status: 'running' as const,
    steps: 0,
    usage: NO_USAGE,
    lastSeq: 0,
    calls: [],
  });
}

function advance(run: RunState, entry: SessionEntry): RunState {
  if (!isOf(entry, run)) return run;
  switch (entry.type) {
    case 'call.settled':
      return settled(run, entry);
    case 'action.answered':
      return edited(run, entry);
    case 'step.finished':
      return { ...withCalls(run, entry), usage: addUsage(run.usage, entry.usage) };
    case 'compacted':
      return { ...run, usage: addUsage(run.usage, entry.usage) };
    case 'agent.told':
      return withAskedCalls(run, entry);
    case 'agent.spent': {
      const { modelName, usage } = entry;
      const asked = withAskedUsage(run.asked, modelName, usage);
      return { ...run, usage: addUsage(run.usage, usage), asked };
    }
    case 'run.parked':
      return {
        ...run,
        status: 'requires_action',
        stopReason: 'requires_action',
        ...(entry.trace && { waitedIn: entry.trace }),
      };
    case 'run.queued': {
      const { trace: waitedIn = run.waitedIn, requestedIn = run.requestedIn } = entry;
      const traces = defined({ waitedIn, requestedIn });
      return { ...run, status: 'queued', stopReason: undefined, ...traces };
    }
    case 'run.taken':
    case 'run.resumed':
      return { ...run, status: 'running', stopReason: undefined };
    case 'run.finished': {
      const { status, stopReason, message, usage, failure } = entry;
      return { ...run, status, stopReason, message, usage, ...(failure && { failure }) };
    }
    default:
      return run;
  }
}

function queuedOn(run: RunState, entry: SessionEntry): RunState {
  if (!isOf(entry, run)) return run;
  const queued = applyToQueued(run.queued, entry);
  return queued === run.queued || queued === undefined ? run : { ...run, queued };
}

function withAskedCalls(run: RunState, { told }: EntryOf<'agent.told'>): RunState {
  const calls = told.flatMap((event) => (event.type === 'tool.call' ? [event.callId] : []));
  if (calls.length === 0) return run;
  const { asked = NO_ASKED_WORK } = run;
  return { ...run, asked: { ...asked, callIds: [...new Set([...asked.callIds, ...calls])] } };
}

function edited(run: RunState, { callId, answer }: EntryOf<'action.answered'>): RunState {
  if (answer.type !== 'approve' || !answer.input) return run;
  const { input, shownInput } = answer;
  return changed(run, callId, { input, shownInput });
}

function withCalls(
  run: RunState,
  { message, step, calls: announced = [] }: EntryOf<'step.finished'>,
): RunState {
  const byId = new Map(announced.map((call) => [call.callId, call]));
  const calls = toolUsesOf(message).map(({ id, name, input, malformedInput }): RunCall => ({
    id,
    name,
    kind: byId.get(id)?.kind ?? 'function',
    input,
    ...(byId.get(id)?.input && { shownInput: byId.get(id)?.input }),
    ...(malformedInput !== undefined && { malformedInput }),
  }));
  return { ...run, steps: step, ...(calls.length > 0 && { calls: [...run.calls, ...calls] }) };
}

function settled(
  run: RunState,
  { result, durationMs, outcome }: EntryOf<'call.settled'>,
): RunState {
  return changed(run, result.tool_use_id, {
    output: result.content,
    isError: result.is_error,
    durationMs,
    outcome,
  });
}

function changed(run: RunState, callId: string, change: Partial<RunCall>): RunState {
  const index = placeOfCall(run.calls, callId);
  const call = run.calls[index];
  if (call === undefined || call.output !== undefined) return run;
  return { ...run, calls: RUN_CALLS.replaced(run.calls, index, { ...call, ...change }) };
}
