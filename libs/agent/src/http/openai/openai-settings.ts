import { isJsonObject } from '../../message';
import type { ModelSettings, ResponseFormat } from '../../model';
import { numberOf, stopOf, wrong, type RawBody } from './openai-fields';

/**
 * A client's settings for the answer. The model's adapter drops unsupported ones.
 *
 * @throws OpenAiRequestError naming a field with an invalid value
 */
export function settingsOf(body: RawBody): ModelSettings {
  const penalty = { min: -2, max: 2 };
  const integer = {
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    isInteger: true,
  };
  const settings: Record<keyof ModelSettings, unknown> = {
    temperature: numberOf(body, 'temperature', { min: 0, max: 2 }),
    topP: numberOf(body, 'top_p', { min: 0, max: 1 }),
    presencePenalty: numberOf(body, 'presence_penalty', penalty),
    frequencyPenalty: numberOf(body, 'frequency_penalty', penalty),
    seed: numberOf(body, 'seed', integer),
    stop: stopOf(body),
    reasoningEffort: wordOf(body, 'reasoning_effort'),
    verbosity: wordOf(body, 'verbosity'),
    responseFormat: formatOf(body),
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** A provider-specific keyword; the keywords differ from model to model. */
export function wordOf(body: RawBody, field: string, at = field): string | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^\w{1,32}$/.test(value)) return value;
  throw wrong(at, "one word, such as 'low', 'medium' or 'high'");
}

function formatOf({ response_format: format }: RawBody): ResponseFormat | undefined {
  if (format === undefined || format === null) return undefined;
  const type = isJsonObject(format) ? format['type'] : undefined;
  switch (type) {
    case 'text':
      return undefined;
    case 'json_object':
      return { type };
    case 'json_schema':
      return schemaFormatOf((format as RawBody)['json_schema'], 'response_format.json_schema');
    default:
      throw wrong('response_format.type', "'text', 'json_object' or 'json_schema'");
  }
}

/** @param at the field with these details */
export function schemaFormatOf(details: unknown, at: string): ResponseFormat {
  if (!isJsonObject(details)) throw wrong(at, 'an object');
  const { name, schema, strict, description } = details;
  if (typeof name !== 'string' || name === '') throw wrong(`${at}.name`, 'a name');
  if (!isJsonObject(schema)) throw wrong(`${at}.schema`, 'a JSON Schema object');
  return {
    type: 'json_schema',
    name,
    schema,
    ...(typeof strict === 'boolean' && { strict }),
    ...(typeof description === 'string' && { description }),
  };
}
