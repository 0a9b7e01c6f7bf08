import { isDeepStrictEqual } from 'node:util';
import { ModelError } from 'nestjs-agent';
import type { Answer } from './replay';
import type { Expected, ExpectedCall, ExpectedUsage } from './recording';

/** The fields in which an answer can differ from the SDK's. */
export type Field = 'text' | 'reasoning' | 'calls' | 'finish' | 'usage';

export interface Difference {
  readonly field: Field;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The fields in which the library's answer differs from the expected one. */
export function differencesBetween(answer: Answer, expected: Expected): readonly Difference[] {
  const { text, reasoning } = tagsRead(expected);
  const { textAlso, reasoningText } = expected;
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
  const usage = usageOf(expected.usage, answer);
  check('usage', countsAs(answer, usage), usage, answer.usage);
  return found;
}

/** The SDK leaves thoughts between tags in the text. */
function tagsRead({ text, reasoning }: Expected): Pick<Expected, 'text' | 'reasoning'> {
  const [, thought, rest] = /^\s*<think>([^]*?)<\/think>\s*([^]*)$/.exec(text) ?? [];
  if (thought === undefined || rest === undefined) return { text, reasoning };
  return { text: rest, reasoning: reasoning + thought };
}

function reasonOf({ reason, error }: Answer): string | undefined {
  if (error === undefined) return reason;
  return error instanceof ModelError ? `error: ${error.code}` : 'error: foreign';
}

function endsAs(reason: string | undefined, { stop, refusal }: Expected): boolean {
  if (stop === 'error' || stop === 'cut') return reason?.startsWith('error: model_') === true;
  if (stop === null) return reason !== undefined && !reason.startsWith('error');
  // The service reports `stop` even for a refusal in its own field.
  return reason === stop || (refusal === true && reason === 'refusal');
}

function areSame(calls: Answer['calls'], expected: readonly ExpectedCall[]): boolean {
  const ids = expected.map(({ id }) => id);
  return (
    calls.length === expected.length &&
    expected.every(({ id, name, arguments: text }, index) => {
      const call = calls[index];
      if (call === undefined || call.name !== name) return false;
      // An unusable id must be replaced.
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

/**
 * Usage in the library's terms: output tokens include reasoning, also where the service counts
 * it separately, and any remainder of the total. A count of zero is none.
 */
function usageOf(usage: ExpectedUsage | null, answer: Answer): Counts | undefined {
  if (usage === null) return undefined;
  const { input, output, total, cached, cacheWritten, reasoning } = usage;
  const inputTokens = input ?? 0;
  const written = (output ?? 0) < (reasoning ?? 0) ? (output ?? 0) + (reasoning ?? 0) : output;
  const totalTokens = Math.max(total ?? 0, inputTokens + (written ?? 0));
  const counts = {
    inputTokens,
    outputTokens: totalTokens - inputTokens,
    totalTokens,
    cachedInputTokens: cached ?? 0,
    // OpenAI's SDK does not report it.
    cacheWriteTokens: cacheWritten ?? answer.usage?.cacheWriteTokens ?? 0,
    reasoningTokens: reasoning ?? 0,
  };
  return counts.totalTokens === 0 ? undefined : counts;
}

function countsAs({ usage }: Answer, expected: Counts | undefined): boolean {
  return isDeepStrictEqual(usage === undefined ? undefined : { ...usage }, expected);
}
