import { readArguments } from '../tool-calls';
import { answerIn, callsIn, callWithText, type Offered, type TextCall } from './react.call';
import { endOfJson, lineHeadAt, mayBegin, type TagKind } from './react.markup';

/** A line of the classic form (`Thought:`, `Action:`, `Action Input:`). */
type LineTag =
  | { readonly kind: Exclude<TagKind, 'call'>; readonly length: number }
  | { readonly kind: 'call'; readonly length: number; readonly calls: readonly TextCall[] }
  | { readonly kind: 'malformed' | 'said'; readonly length: number; readonly text: string };
type Action = Extract<LineTag, { kind: 'call' | 'malformed' | 'said' }>;

/** Whether more may follow; if not, whether the model had finished or was cut off. */
export type End = 'open' | 'whole' | 'cut';

/** No line that names a tool is longer. */
const LONGEST_LINE = 200;
const INPUT_HEAD = /^\s*\**action input(?: \d{1,3})?\**[^\S\n]*:\**/i;
const NEXT_LINE =
  /\n[^\S\n]*\**(?:thought|action|observation|final answer)(?: \d{1,3})?\**[^\S\n]*:/i;
/**
 * As in `search[the query]`, and in `search("the query")`, for a tool with a single text parameter.
 */
const FUNCTION = /^([\w-]+)\s*(?:\[([^]*)\]|\((?=["'])([^]*)\))$/;

/**
 * The tag at the start of a line; `maybe` if more text is needed to decide, `none` if it is
 * ordinary text.
 */
export function lineTagAt(text: string, offered: Offered, end: End): LineTag | 'maybe' | 'none' {
  const head = lineHeadAt(text);
  if (head === 'maybe') return end === 'open' ? 'maybe' : 'none';
  if (head === 'none') return 'none';
  const { kind, length } = head;
  // More spaces or asterisks of the head may follow.
  if (length === text.length && end === 'open') return 'maybe';
  if (kind !== 'call') return { kind, length };
  return behind(length, actionAt(text.slice(length), offered, end));
}

function behind<T>(start: number, action: Action | T): Action | T {
  const isAction = typeof action === 'object' && action !== null && 'length' in action;
  return isAction ? { ...action, length: start + action.length } : action;
}

/**
 * Reads the text after `Action:`. Ordinary sentences begin with that word too, so it is a call only
 * if `Action Input:` follows, if the line is just a tool's name, or if JSON gives the whole call.
 */
function actionAt(text: string, offered: Offered, end: End): Action | 'maybe' | 'none' {
  if (end === 'open' && /^\s*`{0,2}$/.test(text)) return 'maybe';
  if (/^\s*(?:\{|```)/.test(text)) {
    const value = valueAt(text);
    if (value === undefined) return end === 'open' ? 'maybe' : 'none';
    const calls = callsIn(value);
    if (calls === undefined) return 'none';
    const answer = answerIn(calls, offered);
    if (answer !== undefined) return { kind: 'said', length: value.length, text: answer };
    return { kind: 'call', length: value.length, calls };
  }
  const line = /^[^\n]*/.exec(text)?.[0] ?? '';
  if (line.length > LONGEST_LINE) return 'none';
  if (end === 'open' && line === text) return 'maybe';
  const name = line.replace(/^[\s`"'*]+|[\s`"'*]+$/g, '');
  const after = text.slice(line.length);
  const head = INPUT_HEAD.exec(after)?.[0];
  if (head !== undefined) {
    const start = line.length + head.length;
    return behind(start, callWithInput(name, text.slice(start), offered, end));
  }
  const mayGoOn = mayBegin(after, ['action input']);
  if (mayGoOn && end === 'open') return 'maybe';
  return callWithoutInput(name, line.length, offered, mayGoOn && end === 'cut');
}

function callWithInput(name: string, text: string, offered: Offered, end: End): Action | 'maybe' {
  const isValue = /^\s*(?:[{[]|```)/.test(text);
  const isText = !isValue && (offered.get(name) !== undefined || isEnding(name, offered));
  if (isText) return callWithWords(name, text, offered, end);
  const whole = isValue ? valueAt(text) : lineOf(text);
  if (end === 'open' && (whole === undefined || whole.trim() === '')) return 'maybe';
  // Without any input, the next text is the next line of the form.
  const isNone = typeof lineHeadAt(text) === 'object';
  const body = isNone ? (/^\s*/.exec(text)?.[0] ?? '') : (whole ?? text);
  const { input, malformedInput } = readArguments(body, end === 'cut' && whole === undefined);
  const { length } = body;
  return name === '' || malformedInput !== undefined
    ? { kind: 'malformed', length, text: `${name}: ${body.trim()}` }
    : { kind: 'call', length, calls: [{ name, input }] };
}

/** A call with plain text as input: up to the next line of the form, or to the end. */
function callWithWords(name: string, text: string, offered: Offered, end: End): Action | 'maybe' {
  const next = text.search(NEXT_LINE);
  if (next === -1 && end === 'open') return 'maybe';
  const body = next === -1 ? text : text.slice(0, next);
  const { length } = body;
  const words = body.trim();
  if (isEnding(name, offered)) return { kind: 'said', length, text: words };
  if (end === 'cut' && next === -1) return { kind: 'malformed', length, text: `${name}: ${words}` };
  const call = words === '' ? undefined : callWithText(name, words, offered);
  return { kind: 'call', length, calls: [call ?? { name, input: {} }] };
}

function isEnding(name: string, offered: Offered): boolean {
  return answerIn([{ name, input: {} }], offered) !== undefined;
}

function callWithoutInput(
  name: string,
  length: number,
  offered: Offered,
  isCut: boolean,
): Action | 'none' {
  if (offered.has(name) && !isCut) return { kind: 'call', length, calls: [{ name, input: {} }] };
  const [, tool = '', inBrackets, inParentheses] = FUNCTION.exec(name) ?? [];
  const words = inBrackets ?? inParentheses;
  if (words !== undefined && isEnding(tool, offered)) return { kind: 'said', length, text: words };
  const call = words === undefined ? undefined : callWithText(tool, words, offered);
  if (call) return { kind: 'call', length, calls: [call] };
  // As in `add(1, 2)`; or a name that breaks off.
  const isMeant = [...offered.keys()].some((other) =>
    isCut
      ? name !== '' && other.startsWith(name)
      : name.startsWith(other) && /^\s*[[(]/.test(name.slice(other.length)),
  );
  return isMeant ? { kind: 'malformed', length, text: name } : 'none';
}

/** A text's first line that is not blank, and the text before it; `undefined` while it goes on. */
function lineOf(text: string): string | undefined {
  const start = text.search(/\S/);
  const end = start === -1 ? text.lastIndexOf('\n') : text.indexOf('\n', start);
  return end === -1 ? undefined : text.slice(0, end + 1);
}

/** The JSON, or the fenced block, that a text begins with; `undefined` while it goes on. */
function valueAt(text: string): string | undefined {
  const start = text.search(/\S/);
  const isFenced = text.startsWith('```', start);
  const end = isFenced ? text.indexOf('```', start + 3) : endOfJson(text.slice(start));
  if (end === undefined || end === -1) return undefined;
  return text.slice(0, isFenced ? end + 3 : start + end);
}
