import type { JsonObject } from '../../message';
import type { ModelRetryOptions, ModelTimeouts } from '../stream';
import type { OpenAiQuirks } from './openai-quirks';

/**
 * Options of `openai()`.
 *
 * @example
 * const options: OpenAiOptions = {
 *   model: 'gpt-4.1',
 *   retry: { maxAttempts: 5 },
 *   extraBody: { service_tier: 'flex' },
 * };
 */
export interface OpenAiOptions {
  /** The model's name at the provider; `OPENAI_MODEL`, else `gpt-4.1-mini`. */
  readonly model?: string;
  /** `OPENAI_API_KEY` by default. Read at the first call; a function is asked at every call. */
  readonly apiKey?: string | (() => Promise<string>);
  /** `OPENAI_BASE_URL`, else OpenAI's own. */
  readonly baseURL?: string;
  /** What clients see as the model's name; `model` by default. */
  readonly name?: string;
  /** How long it may stay silent; a value left out keeps its default. */
  readonly timeouts?: ModelTimeouts;
  /** How often it is tried again before its first event; a value left out keeps its default. */
  readonly retry?: ModelRetryOptions;
  /** Sent with every request; none by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields put into every request's body, over the library's own; none by default. */
  readonly extraBody?: JsonObject;
  /**
   * In what the service differs from OpenAI; nothing by default, and the presets know this of
   * theirs.
   */
  readonly quirks?: OpenAiQuirks;
  /** Makes the requests; by default undici, through the dispatcher of Node's own `fetch`. */
  readonly fetch?: typeof fetch;
}
