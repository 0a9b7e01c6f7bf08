import { defined } from '../../internal';
import { isJsonObject } from '../../message';
import type { ModelSettings, ResponseFormat } from '../../model';
import {
  numberOf,
  OpenAiRequestError,
  type RawBody,
  schemaFormatOf,
  wordOf,
  wrong,
} from '../openai';

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
  const penalty = { min: -2, max: 2 };
  return defined({
    temperature: numberOf(body, 'temperature', { min: 0, max: 2 }),
    topP: numberOf(body, 'top_p', { min: 0, max: 1 }),
    presencePenalty: numberOf(body, 'presence_penalty', penalty),
    frequencyPenalty: numberOf(body, 'frequency_penalty', penalty),
    reasoningEffort: wordOf(reasoning, 'effort', 'reasoning.effort'),
    verbosity: wordOf(text, 'verbosity', 'text.verbosity'),
    responseFormat: formatOf(text),
  });
}

/** The most output tokens of a model call. */
export function maxTokensOf(body: RawBody): number | undefined {
  const range = { min: 1, max: Number.MAX_SAFE_INTEGER, isInteger: true };
  return numberOf(body, 'max_output_tokens', range);
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

function formatOf({ format }: RawBody): ResponseFormat | undefined {
  if (format === undefined || format === null) return undefined;
  const type = isJsonObject(format) ? format['type'] : undefined;
  switch (type) {
    case 'text':
      return undefined;
    case 'json_object':
      return { type };
    case 'json_schema':
      return schemaFormatOf(format, 'text.format');
    default:
      throw wrong('text.format.type', "'text', 'json_object' or 'json_schema'");
  }
}
