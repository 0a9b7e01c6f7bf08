import { defined } from '../../../internal';
import { isJsonObject } from '../../../message';
import type { ModelSettings } from '../../../model';
import { formatOf, type RawBody, samplingOf, wordOf, wrong } from '../../openai';

/** Fields that would change the meaning of the answer, with a check for their neutral values. */
export const REFUSED = new Map<string, (value: unknown) => boolean>([
  ['background', (value) => value === false],
  ['prompt', () => false],
  ['top_logprobs', (value) => value === 0],
]);

/** @throws OpenAiRequestError naming a field with an invalid value */
export function settingsOf(body: RawBody): ModelSettings {
  const reasoning = objectIn(body, 'reasoning');
  const text = objectIn(body, 'text');
  return defined({
    ...samplingOf(body),
    reasoningEffort: wordOf(reasoning, 'effort', 'reasoning.effort'),
    verbosity: wordOf(text, 'verbosity', 'text.verbosity'),
    responseFormat: formatOf(text['format'], 'text.format'),
  });
}

export function stringOf(body: RawBody, field: string): string | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(field, 'a string');
}

function objectIn(body: RawBody, field: string): RawBody {
  const value = body[field] ?? {};
  if (isJsonObject(value)) return value;
  throw wrong(field, 'an object');
}
