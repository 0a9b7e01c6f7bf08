import { Readable } from 'node:stream';
import { isJsonObject } from '../../../message';
import type { AnswerResponse } from '../model-fetch';

/** Codes and types of a refusal: Azure's, OpenAI's, Alibaba's, Kimi's, OpenRouter's, Zhipu's. */
const REFUSED = /^(content_filter|content_policy_violation|data_inspection_failed|refusal|1301)$/i;
/** Words of providers without a code for it: DeepSeek's, MiniMax's, xAI's, Anthropic's. */
const REFUSED_WORDS =
  /content exists risk|\bnew_sensitive\b|content violates usage guidelines|blocked by content filtering/i;

/** Whether an error is a provider's refusal to answer, which counts as an answer. */
export function isRefusal(error: unknown): boolean {
  if (typeof error === 'string') return REFUSED_WORDS.test(error);
  if (!isJsonObject(error)) return false;
  const { code, type } = error;
  // OpenRouter's.
  const metadata = isJsonObject(error.metadata) ? error.metadata : {};
  const names = [code, type, metadata.error_type];
  if (names.some((name) => typeof name === 'string' && REFUSED.test(name))) return true;
  if ('flagged_input' in metadata) return true;
  const words = [error.message, error.error].find((value) => typeof value === 'string') ?? '';
  return REFUSED_WORDS.test(words) || (code === 'invalid_prompt' && /flagged/i.test(words));
}

/** The error that an SDK's error carries. */
export function errorOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'error' in thrown ? thrown.error : undefined;
}

/** An answer that consists of an error; the decoder reads it as the error of a stream. */
export function answerOf(error: unknown): AnswerResponse {
  return { body: Readable.from([Buffer.from(JSON.stringify({ error }))]) };
}
