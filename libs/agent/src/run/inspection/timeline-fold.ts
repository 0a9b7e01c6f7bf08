import {
  addUsage,
  joinedTexts,
  type JsonObject,
  NO_USAGE,
  textOf,
  toolUsesOf,
  type ContentBlock,
  type Usage,
} from '../../message';
import type { AnnouncedCall, AskedEvent, RecordedEntry, StoredEntry } from '../../session';
import type { RunTimeline, TimelineItem } from './timeline';

/** The inputs of a fold besides the entries. */
export interface Showing {
  /** @param before the arguments as shown at the time, for a removed tool */
  readonly input: (name: string, input: JsonObject, before?: JsonObject) => JsonObject;
  /** The displayed form of another agent's arguments, which are already masked by its own tools. */
  readonly redacted: (input: JsonObject) => JsonObject;
  /** The displayed form of an answer's blocks. */
  readonly blocks: (
    content: readonly ContentBlock[],
    before: ReadonlyMap<string, JsonObject>,
  ) => readonly ContentBlock[];
  /** The cost of tokens; `undefined` without prices. */
  readonly cost: (modelName: string, usage: Usage) => number | undefined;
}

type Item<Type extends TimelineItem['type']> = Extract<TimelineItem, { type: Type }>;
type Open = { -readonly [Key in keyof RunTimeline]: RunTimeline[Key] } & {
  items: TimelineItem[];
  readonly position: number;
  hasCost: boolean;
};

/** The number of progress updates kept per call. */
const MOST_PROGRESS = 50;

/** The runs that begin in these entries. */
export function timelinesOf(
  sessionId: string,
  entries: readonly StoredEntry[],
  showing: Showing,
): readonly RunTimeline[] {
  const runs = new Map<string, Open>();
  for (const { position, entry } of entries) {
    if (entry.type === 'run.started') {
      runs.set(entry.runId, opened(sessionId, position, entry));
    } else if (entry.type === 'rewound') {
      for (const run of runs.values()) run.isTakenBack ||= run.position >= entry.position;
    } else if ('runId' in entry) {
      const run = runs.get(entry.runId);
      if (run) take(run, entry, showing);
    }
  }
  return [...runs.values()].map(({ position: _position, hasCost, cost = 0, ...run }) => ({
    ...run,
    ...(hasCost && { cost }),
  }));
}

function opened(
  sessionId: string,
  position: number,
  entry: Extract<RecordedEntry, { type: 'run.started' }>,
): Open {
  const { runId, model, modelName, startedAt } = entry;
  return {
    ...{ sessionId, runId, modelName, startedAt, position },
    ...(model !== undefined && { model }),
    status: 'running',
    question: '',
    isTakenBack: false,
    usage: NO_USAGE,
    hasCost: true,
    items: [],
  };
}

/** Shown where a worker died. */
const DISCARDED = 'A worker stopped during this step, which is repeated.';

function take(
  run: Open,
  entry: Extract<RecordedEntry, { readonly runId: string }>,
  showing: Showing,
): void {
  const { at } = entry;
  const time = at === undefined ? {} : { at };
  switch (entry.type) {
    case 'message': {
      if (entry.message.role !== 'user') return;
      const others = entry.message.content.filter(({ type }) => type !== 'text');
      const attachments = others.map(({ type }) => type);
      const text = textOf(entry.message);
      run.question ||= text;
      run.items.push({ type: 'said', ...time, text, attachments });
      return;
    }
    case 'step.finished': {
      const { step, message, usage, finishReason, timing } = entry;
      const announced = new Map(entry.calls?.map((call) => [call.callId, call]));
      const content = showing.blocks(joinedTexts(message.content), inputsOf(entry.calls));
      const spent = spend(run, run.modelName, usage, showing);
      const timed = timing ? { timing } : {};
      run.items.push({ type: 'model', step, ...time, ...timed, content, finishReason, ...spent });
      for (const { id, name, input } of toolUsesOf(message)) {
        const { kind = 'function', awaits } = announced.get(id) ?? {};
        const shown = showing.input(name, announced.get(id)?.input ?? input);
        const call: Item<'call'> = {
          ...{ type: 'call', step, callId: id, name, kind, input: shown, progress: [] },
          ...(awaits && { awaits }),
        };
        run.items.push(call);
      }
      return;
    }
    case 'call.progressed':
      change(run, 'call', entry.callId, ({ progress }) => ({
        progress: [...progress, entry.data].slice(-MOST_PROGRESS),
      }));
      return;
    case 'call.settled': {
      const { result, durationMs, outcome } = entry;
      const { content: output, is_error: isError } = result;
      change(run, 'call', result.tool_use_id, () => ({ output, isError, durationMs, outcome }));
      return;
    }
    case 'action.required': {
      const { action } = entry;
      const isOfCall = (item: TimelineItem): item is Item<'call'> =>
        item.type === 'call' && item.callId === action.callId;
      const input =
        action.agent === undefined
          ? showing.input(action.name, action.input, run.items.findLast(isOfCall)?.input)
          : showing.redacted(action.input);
      run.items.push({ type: 'wait', action: { ...action, input } });
      return;
    }
    case 'action.answered': {
      const { answer } = entry;
      change(run, 'wait', entry.callId, ({ action }) => ({
        answer: answer.type,
        ...(answer.type === 'reject' && answer.reason && { reason: answer.reason }),
        ...(answer.type === 'approve' &&
          answer.input && {
            edited: showing.input(action.name, answer.input, answer.shownInput),
          }),
      }));
      return;
    }
    case 'run.parked':
      run.status = 'requires_action';
      run.stopReason = 'requires_action';
      run.items.push({ type: 'parked', ...time });
      return;
    case 'run.resumed':
      run.status = 'running';
      delete run.stopReason;
      run.items.push({ type: 'resumed', ...time });
      return;
    case 'run.queued':
      run.status = 'queued';
      delete run.stopReason;
      return;
    case 'run.taken':
      run.status = 'running';
      return;
    case 'step.discarded':
      run.items.push({ type: 'notice', code: entry.type, message: DISCARDED });
      return;
    case 'noticed':
      run.items.push({ type: 'notice', code: entry.code, message: entry.message });
      return;
    case 'compacted': {
      const { tokensBefore, tokensAfter, messages, usage } = entry;
      const spent = spend(run, run.modelName, usage, showing);
      run.items.push({ type: 'compacted', tokensBefore, tokensAfter, messages, ...spent });
      return;
    }
    case 'agent.told':
      run.items.push({
        type: 'asked',
        callId: entry.callId,
        told: shownEvents(entry.told, showing),
      });
      return;
    case 'agent.spent': {
      const { callId, modelName, usage } = entry;
      const spent = spend(run, modelName, usage, showing);
      run.items.push({ type: 'asked_spent', callId, modelName, ...spent });
      return;
    }
    case 'run.finished':
      Object.assign(run, {
        ...(at !== undefined && { endedAt: at }),
        status: entry.status,
        stopReason: entry.stopReason,
        message: entry.message,
        ...(entry.failure && { failure: entry.failure }),
      });
      return;
    case 'run.started':
    case 'call.started':
      return;
  }
}

/** Adds to the run's tokens. A model without prices leaves the whole run without a cost. */
function spend(
  run: Open,
  modelName: string,
  usage: Usage,
  showing: Showing,
): { readonly usage: Usage; readonly cost?: number } {
  const cost = showing.cost(modelName, usage);
  run.usage = addUsage(run.usage, usage);
  run.cost = (run.cost ?? 0) + (cost ?? 0);
  run.hasCost &&= cost !== undefined;
  return { usage, ...(cost !== undefined && { cost }) };
}

/** The last item of a call: some providers number calls anew in every step. */
function change<Type extends 'call' | 'wait'>(
  run: Open,
  type: Type,
  callId: string,
  changes: (item: Item<Type>) => Partial<Item<Type>>,
): void {
  const index = run.items.findLastIndex((item) => item.type === type && callIdOf(item) === callId);
  const item = run.items[index] as Item<Type> | undefined;
  if (item) run.items[index] = { ...item, ...changes(item) };
}

/** The events of an asked agent. Argument pieces cannot be redacted; the complete arguments follow. */
function shownEvents(
  told: readonly (AskedEvent & { readonly lengths?: string })[],
  { redacted }: Showing,
): readonly AskedEvent[] {
  return told
    .filter(({ type }) => type !== 'tool.input.delta')
    .map(({ lengths: _lengths, ...event }) =>
      'input' in event && event.input ? { ...event, input: redacted(event.input) } : event,
    );
}

function callIdOf(item: Item<'call' | 'wait'>): string {
  return item.type === 'call' ? item.callId : item.action.callId;
}

/** What was shown of calls' arguments, by the calls' ids, where it differs from the arguments. */
function inputsOf(calls: readonly AnnouncedCall[] = []): ReadonlyMap<string, JsonObject> {
  return new Map(calls.flatMap(({ callId, input }) => (input ? [[callId, input] as const] : [])));
}
