import { defined } from '../../internal';
import { isJsonObject } from '../../message';
import type { ModelSettings } from '../../model';
import { formatOf, OpenAiRequestError, type RawBody, samplingOf, wordOf, wrong } from '../openai';

/** Fields that would change the meaning of the answer, with their neutral values. */
const REFUSED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['background', false],
  ['prompt', null],
  ['top_logprobs', 0],
]);

/** @throws OpenAiRequestError naming such a field */
export function checkFields(body: RawBody): void {
  for (const [field, neutral] of REFUSED) {
    const value = body[field] ?? null;
    if (value === null || value === neutral) continue;
    throw new OpenAiRequestError(
      `Unsupported parameter: '${field}' is not supported by this server.`,
      field,
      'unsupported_parameter',
    );
  }
}

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
