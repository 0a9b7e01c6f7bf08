import type { JsonObject, ResultContent } from '../message';
import { canonicalJson } from './canonical-json';

const HINT_AT = 3;
const LOOP_AT = 5;

/** What the model reads below a result that it got three times in a row. */
export const REPEATED_CALL_HINT =
  'You made this same call several times and got the same result. Do not repeat it: use the result, try something else, or answer the user.';

/**
 * Notices a model that repeats itself within one run: the same call with the same arguments and
 * the same result. Holds no more than the last call.
 */
export class RepeatedCalls {
  private last: { readonly call: string; readonly result: string } | undefined;
  private count = 0;

  /** Whether this call would be the fifth of its kind: it must not run, and the run ends. */
  isLoop(call: { readonly name: string; readonly input: JsonObject }): boolean {
    return this.count >= LOOP_AT - 1 && this.last?.call === keyOf(call);
  }

  /** Notes a call's result; answers the hint where it was the third or fourth in a row. */
  note(
    call: { readonly name: string; readonly input: JsonObject },
    content: ResultContent,
  ): string | undefined {
    const entry = { call: keyOf(call), result: JSON.stringify(content) };
    const isSame = this.last?.call === entry.call && this.last.result === entry.result;
    this.count = isSame ? this.count + 1 : 1;
    this.last = entry;
    return this.count >= HINT_AT ? REPEATED_CALL_HINT : undefined;
  }
}

function keyOf({ name, input }: { readonly name: string; readonly input: JsonObject }): string {
  return canonicalJson([name, input]);
}
