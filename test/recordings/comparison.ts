import { isDeepStrictEqual } from 'node:util';
import { ModelError } from 'nestjs-agent';
import type { Answer } from './replay';
import type { Expected, ExpectedCall, ExpectedUsage } from './recording';

/** In what an answer may differ from the SDK's. */
export type Field = 'text' | 'reasoning' | 'calls' | 'finish' | 'usage';

export interface Difference {
  readonly field: Field;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** In what the library's answer differs from the expected one. */
export function differencesBetween(answer: Answer, expected: Expected): readonly Difference[] {
  const { text, textAlso, reasoning, reasoningText } = expected;
  const found: Difference[] = [];
  const check = (field: Field, isSame: boolean, wanted: unknown, actual: unknown) => {
    if (!isSame) found.push({ field, expected: wanted, actual });
  };
  check('text', [text, textAlso].includes(answer.text), text, answer.text);
  const thoughts = [reasoning, reasoningText];
  check('reasoning', thoughts.includes(answer.reasoning), reasoning, answer.reasoning);
  check('calls', areSame(answer.calls, expected.calls), expected.calls, answer.calls);
  const reason = reasonOf(answer);
  check('finish', endsAs(reason, expected), expected.stop, reason);
  const usage = usageOf(expected.usage);
  check('usage', countsAs(answer, usage), usage, answer.usage);
  return found;
}

function reasonOf({ reason, error }: Answer): string | undefined {
  if (error === undefined) return reason;
  return error instanceof ModelError ? `error: ${error.code}` : 'error: foreign';
}

function endsAs(reason: string | undefined, { stop, refusal }: Expected): boolean {
  if (stop === 'error' || stop === 'cut') return reason?.startsWith('error: model_') === true;
  if (stop === null) return reason !== undefined && !reason.startsWith('error');
  // The service's word for a refusal in its own field is `stop` all the same.
  return reason === stop || (refusal === true && reason === 'refusal');
}

function areSame(calls: Answer['calls'], expected: readonly ExpectedCall[]): boolean {
  const ids = expected.map(({ id }) => id);
  return (
    calls.length === expected.length &&
    expected.every(({ id, name, arguments: text }, index) => {
      const call = calls[index];
      if (call === undefined || call.name !== name) return false;
      // An id that is no use has to be another.
      const isUsable = id !== null && id !== '' && ids.indexOf(id) === index;
      if (isUsable && call.id !== id) return false;
      const input = objectIn(text);
      return input === undefined ? true : isDeepStrictEqual(call.input, input);
    })
  );
}

/** Arguments as an object; `undefined` where they are none. */
function objectIn(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

type Counts = Readonly<Record<string, number>>;

/** What was counted, as ours; a count of nothing at all is none. */
function usageOf(usage: ExpectedUsage | null): Counts | undefined {
  if (usage === null) return undefined;
  const { input, output, total, cached, cacheWritten, reasoning } = usage;
  const counts = {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    totalTokens: total ?? (input ?? 0) + (output ?? 0),
    cachedInputTokens: cached ?? 0,
    cacheWriteTokens: cacheWritten ?? 0,
    reasoningTokens: reasoning ?? 0,
  };
  return counts.totalTokens === 0 ? undefined : counts;
}

function countsAs({ usage }: Answer, expected: Counts | undefined): boolean {
  return isDeepStrictEqual(usage === undefined ? undefined : { ...usage }, expected);
}
