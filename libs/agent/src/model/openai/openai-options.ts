import type { JsonObject } from '../../message';
import type { ModelRetryOptions, ModelTimeouts } from '../stream';
import type { OpenAiQuirks } from './openai-quirks';

/**
 * Options of `openai()`.
 *
 * @example
 * const options: OpenAiOptions = {
 *   model: 'gpt-5.4',
 *   reasoning: { effort: 'low', summary: 'auto' },
 *   retry: { maxAttempts: 5 },
 *   serviceTier: 'flex',
 * };
 */
export interface OpenAiOptions {
  /** The model's name at the provider; `OPENAI_MODEL`, else `gpt-4.1-mini`. */
  readonly model?: string;
  /** `OPENAI_API_KEY` by default. Read at the first call; a function is asked at every call. */
  readonly apiKey?: string | (() => Promise<string>);
  /** `OPENAI_BASE_URL`, else OpenAI's own. */
  readonly baseURL?: string;
  /**
   * Which API is spoken. `responses` by default for OpenAI's own addresses and for Azure's
   * `/openai/v1`, `chat` for every other `baseURL`.
   */
  readonly api?: 'responses' | 'chat';
  /** How a reasoning model thinks; as it does by itself by default. */
  readonly reasoning?: {
    /** How long: `none`, `low`, `medium`, `high`, or another value that the model knows. */
    readonly effort?: string;
    /** Whether it tells its thoughts, with the Responses API; it does not by default. */
    readonly summary?: 'auto' | 'concise' | 'detailed';
  };
  /** How long answers are: `low`, `medium` or `high`; the model's own default where it is missing. */
  readonly verbosity?: string;
  /** Such as `flex` or `priority`; the project's own by default. */
  readonly serviceTier?: string;
  /** Keeps requests with the same beginning together, so that more of it is cached; none by default. */
  readonly promptCacheKey?: string;
  /**
   * Tools that the provider runs itself, as it is told of them, such as `{ type: 'web_search' }`. Their
   * calls are shown, and never run here. None by default.
   */
  readonly providerTools?: readonly JsonObject[];
  /** The model's name for clients; `model` by default. */
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
   * The service's differences from OpenAI; none by default, and the presets know this of
   * theirs.
   */
  readonly quirks?: OpenAiQuirks;
  /** Makes the requests; by default undici, through the dispatcher of Node's own `fetch`. */
  readonly fetch?: typeof fetch;
}
