import { jsonIn } from '../internal';
import { isJsonObject, type AgentEvent, type JsonObject, type JsonValue } from '../message';

/** The version of the format that this release writes and reads. */
const EVENT_VERSION = 1;

/** Larger events are read from the store. */
export const MAX_EVENT_BYTES = 262_144;

type Check = (value: JsonValue | undefined) => boolean;
/** The fields that readers rely on. Newer releases may add others. */
type Fields = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isFlag: Check = (value) => typeof value === 'boolean';
const isThere: Check = (value) => value !== undefined;
const isObject: Check = (value) => isJsonObject(value);
const isList: Check = (value) => Array.isArray(value) && value.every((item) => isJsonObject(item));
const isContent: Check = (value) => isText(value) || isList(value);

const usage = isObject;
const delta = { delta: isText };
const call = { callId: isText, name: isText };
const waiting = { ...call, input: isObject, expiresAt: isText };
const message = { code: isText, message: isText };

const FIELDS: { readonly [Type in AgentEvent['type']]: Fields } = {
  'run.started': { sessionId: isText, model: isText },
  'step.started': { step: isNumber },
  'thinking.delta': delta,
  'text.delta': delta,
  'agent.text.delta': { ...delta, agent: isText, parentCallId: isText },
  'tool.input.delta': { ...delta, ...call, kind: isText },
  'tool.call': { ...call, kind: isText, input: isObject },
  'tool.progress': { callId: isText, data: isThere },
  'tool.result': {
    ...call,
    output: isContent,
    isError: isFlag,
    durationMs: isNumber,
    outcome: isText,
  },
  source: { url: isText },
  'provider.tool': call,
  notice: message,
  'approval.required': { ...waiting, reason: isText },
  'frontend.call': waiting,
  'step.finished': { step: isNumber, usage, finishReason: isText },
  'step.discarded': { from: isNumber, to: isNumber },
  compaction: { tokensBefore: isNumber, tokensAfter: isNumber, messages: isNumber },
  error: message,
  'run.finished': {
    status: isText,
    stopReason: isText,
    message: isText,
    usage,
    pendingActions: isList,
  },
};

/** An event for Redis, without run and number (in its key and id); `undefined` if it is too large. */
export function textOfEvent(event: AgentEvent): string | undefined {
  const text = JSON.stringify({ v: EVENT_VERSION, ...event, runId: undefined, seq: undefined });
  return Buffer.byteLength(text) > MAX_EVENT_BYTES ? undefined : text;
}

/**
 * Parses an event of the run; `undefined` unless it is the expected one, in a version that this
 * release knows. Anyone with access to Redis can write anything there.
 */
export function eventIn(text: string, runId: string, seq: number): AgentEvent | undefined {
  const stored = jsonIn(text);
  if (!isJsonObject(stored)) return undefined;
  const { v, ...body } = stored;
  if (typeof v !== 'number' || !(v >= 1 && v <= EVENT_VERSION)) return undefined;
  const event: JsonObject = { runId, seq, ...body };
  if (event['runId'] !== runId || event['seq'] !== seq) return undefined;
  const { type } = event;
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) return undefined;
  const fields = Object.entries(FIELDS[type as AgentEvent['type']]);
  const isWhole =
    fields.every(([name, fits]) => fits(event[name])) &&
    ['agent', 'parentCallId'].every((name) => event[name] === undefined || isText(event[name]));
  return isWhole ? (event as unknown as AgentEvent) : undefined;
}
