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
  /**
   * `OPENAI_API_KEY` by default, read at the first call. A function is called for every request.
   */
  readonly apiKey?: string | (() => Promise<string>);
  /** `OPENAI_BASE_URL`, else OpenAI's own. */
  readonly baseURL?: string;
  /**
   * The API to use: `responses` by default for OpenAI's own addresses and for Azure's `/openai/v1`,
   * `chat` for every other `baseURL`.
   */
  readonly api?: 'responses' | 'chat';
  /** Settings of a reasoning model; the model's own by default. */
  readonly reasoning?: {
    /**
     * How long it thinks: `none`, `low`, `medium`, `high`, or another value that the model knows.
     */
    readonly effort?: string;
    /** Whether the Responses API returns summaries of its reasoning; not by default. */
    readonly summary?: 'auto' | 'concise' | 'detailed';
  };
  /** How long answers are: `low`, `medium` or `high`; the model's own default if missing. */
  readonly verbosity?: string;
  /** Such as `flex` or `priority`; the project's own by default. */
  readonly serviceTier?: string;
  /**
   * Routes requests with the same prefix together, so that more of it is cached; none by default.
   */
  readonly promptCacheKey?: string;
  /**
   * Tools that the provider runs itself, in the provider's form, such as `{ type: 'web_search' }`;
   * none by default. Their calls are shown, and never run here.
   */
  readonly providerTools?: readonly JsonObject[];
  /** The model's name for clients; `model` by default. */
  readonly name?: string;
  /** How long the model may stay silent; missing values keep their defaults. */
  readonly timeouts?: ModelTimeouts;
  /** Retries before the first event; missing values keep their defaults. */
  readonly retry?: ModelRetryOptions;
  /** Sent with every request; none by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields added to every request's body; they override the library's own. None by default. */
  readonly extraBody?: JsonObject;
  /** The service's differences from OpenAI; none by default. Presets set those of their service. */
  readonly quirks?: OpenAiQuirks;
  /** Makes the requests; by default undici, through the dispatcher of Node's own `fetch`. */
  readonly fetch?: typeof fetch;
}
