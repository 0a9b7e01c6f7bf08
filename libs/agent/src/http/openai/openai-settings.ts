import { defined } from '../../internal';
import { isJsonObject } from '../../message';
import type { ModelSettings, ResponseFormat } from '../../model';
import { numberOf, stopOf, wrong, type RawBody } from './openai-fields';

/**
 * A client's settings for the answer. The model's adapter drops unsupported ones.
 *
 * @throws OpenAiRequestError naming a field with an invalid value
 */
export function settingsOf(body: RawBody): ModelSettings {
  const integer = {
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    isInteger: true,
  };
  return defined({
    ...samplingOf(body),
    seed: numberOf(body, 'seed', integer),
    stop: stopOf(body),
    reasoningEffort: wordOf(body, 'reasoning_effort'),
    verbosity: wordOf(body, 'verbosity'),
    responseFormat: formatOf(body['response_format'], 'response_format', 'json_schema'),
  });
}

/** The settings with the same names in both of OpenAI's protocols. */
export function samplingOf(body: RawBody): ModelSettings {
  const penalty = { min: -2, max: 2 };
  return defined({
    temperature: numberOf(body, 'temperature', { min: 0, max: 2 }),
    topP: numberOf(body, 'top_p', { min: 0, max: 1 }),
    presencePenalty: numberOf(body, 'presence_penalty', penalty),
    frequencyPenalty: numberOf(body, 'frequency_penalty', penalty),
  });
}

/** The most output tokens of a model call. */
export function maxTokensOf(body: RawBody, field: string): number | undefined {
  return numberOf(body, field, { min: 1, max: Number.MAX_SAFE_INTEGER, isInteger: true });
}

/** A provider-specific keyword; the keywords differ from model to model. */
export function wordOf(body: RawBody, field: string, at = field): string | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^\w{1,32}$/.test(value)) return value;
  throw wrong(at, "one word, such as 'low', 'medium' or 'high'");
}

/** @param key the key of the details in the format; the format itself has them by default */
export function formatOf(format: unknown, at: string, key?: string): ResponseFormat | undefined {
  if (format === undefined || format === null) return undefined;
  const fields = isJsonObject(format) ? format : {};
  const { type } = fields;
  switch (type) {
    case 'text':
      return undefined;
    case 'json_object':
      return { type };
    case 'json_schema':
      return key === undefined
        ? schemaFormatOf(fields, at)
        : schemaFormatOf(fields[key], `${at}.${key}`);
    default:
      throw wrong(`${at}.type`, "'text', 'json_object' or 'json_schema'");
  }
}

/** @param at the field with these details */
function schemaFormatOf(details: unknown, at: string): ResponseFormat {
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
