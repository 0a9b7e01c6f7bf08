import { Readable } from 'node:stream';
import { jsonIn } from '../../../internal';
import { isJsonObject } from '../../../message';
import type { AnswerResponse } from '../model-fetch';

/** Codes and types of a refusal: Azure's, OpenAI's, Alibaba's, Kimi's, OpenRouter's, Zhipu's. */
const REFUSED =
  /^(content_filter|(content|misalignment)_policy_violation|(bio|cyber)_policy|data_inspection_failed|refusal|1301)$/i;
/** Words of providers without a code for it: DeepSeek's, MiniMax's, xAI's, Anthropic's. */
const SAID = [
  'content exists risk',
  '(?:invalid params, )?(?:input|output) new_sensitive',
  'content violates usage guidelines',
  'output blocked by content filtering policy',
].join('|');
/**
 * Refusals count only at a provider's usual position, also after a gateway's prefix, or in its message within
 * the gateway's: other errors may quote the conversation.
 */
const REFUSED_WORDS = new RegExp(
  [
    `^(?:[^"'{[]*(?:: | - )(?:\\d{3} )?)?(?:${SAID})`,
    `["'](?:message|error|status_msg)\\\\*["']: ?\\\\*["'](?:${SAID})`,
    // LiteLLM's, for any provider.
    `^[^"'{[]*\\bContentPolicyViolationError\\b`,
  ].join('|'),
  'i',
);

/** Whether an error is a provider's refusal to answer, which counts as an answer. */
export function isRefusal(error: unknown): boolean {
  return refuses(error) || refuses(upstreamOf(error));
}

/** The error of the provider behind OpenRouter. */
function upstreamOf(error: unknown): unknown {
  const { raw } = isJsonObject(error) && isJsonObject(error.metadata) ? error.metadata : {};
  const [said] = [typeof raw === 'string' ? (jsonIn(raw) ?? raw) : raw].flat();
  return isJsonObject(said) && isJsonObject(said.error) ? said.error : said;
}

function refuses(error: unknown): boolean {
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
