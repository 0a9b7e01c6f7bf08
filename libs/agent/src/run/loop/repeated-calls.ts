import { canonicalJson, oncePer } from '../../internal';
import type { JsonObject, ResultContent } from '../../message';
import { placeOfCall, type RunCall } from '../../session';

const HINT_AT = 3;
const LOOP_AT = 5;
/** As many calls before one are compared: an answer may have thousands, none with a result yet. */
const MOST_BEFORE = 64;

/** Appended to the third equal result of a repeated call. */
export const REPEATED_CALL_HINT =
  'You made this same call several times and got the same result. Do not repeat it: use the result, try something else, or answer the user.';
const HINT_BELOW = `\n\n${REPEATED_CALL_HINT}`;

/** All calls of a run so far, in order. */
export interface CallsSoFar {
  readonly calls: readonly RunCall[];
  /** The results that are still being stored, by the calls' ids. */
  readonly results?: ReadonlyMap<string, ResultContent>;
}

/** Whether a new call would be the fifth equal one in a row: it must not run, and the run ends. */
export function isLoop(soFar: CallsSoFar, callId: string): boolean {
  return repetitionsOf(soFar, callId) >= LOOP_AT - 1;
}

/** A call's result, with the hint from the third equal call in a row on. */
export function withHint(soFar: CallsSoFar, callId: string, content: ResultContent): ResultContent {
  if (repetitionsOf(soFar, callId, content) < HINT_AT - 1) return content;
  return typeof content === 'string'
    ? `${content}${HINT_BELOW}`
    : [...content, { type: 'text', text: REPEATED_CALL_HINT }];
}

/**
 * The number of preceding calls with the same tool, arguments and result. Calls without a result
 * are skipped.
 *
 * @param content the call's own result, if any
 */
function repetitionsOf(
  { calls, results }: CallsSoFar,
  callId: string,
  content?: ResultContent,
): number {
  const index = placeOfCall(calls, callId);
  const asked = calls[index];
  if (asked === undefined) return 0;
  const key = keyOf(asked);
  let result = content && textOfResult(content);
  let count = 0;
  const first = Math.max(0, index - MOST_BEFORE);
  for (let before = index - 1; before >= first && count < LOOP_AT; before -= 1) {
    const call = calls[before];
    if (call?.name !== asked.name || keyOf(call) !== key) break;
    const output = call.output ?? results?.get(call.id);
    if (output === undefined) continue;
    result ??= textOfResult(output);
    if (textOfResult(output) !== result) break;
    count += 1;
  }
  return count;
}

/** Cached: an answer may have thousands of calls, each compared with all others. */
const inputKey = oncePer<JsonObject, string>(canonicalJson);

function keyOf({ input, malformedInput }: RunCall): string {
  if (malformedInput !== undefined) return JSON.stringify(malformedInput);
  return inputKey(input);
}

/** The result without the hint. */
function textOfResult(content: ResultContent): string {
  if (typeof content === 'string') return JSON.stringify(content.replace(HINT_BELOW, ''));
  return JSON.stringify(content.filter((block) => !isHint(block)));
}

function isHint(block: Exclude<ResultContent, string>[number]): boolean {
  return block.type === 'text' && block.text === REPEATED_CALL_HINT;
}
