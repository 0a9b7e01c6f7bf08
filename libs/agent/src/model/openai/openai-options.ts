import type { JsonObject } from '../../message';
import type { ModelRetryOptions, ModelTimeouts } from '../stream';
import type { OpenAiQuirks } from './openai-quirks';

/** Options of `openai()`. */
export interface OpenAiOptions {
  /** The model's name at the provider; `OPENAI_MODEL`, else `gpt-4.1-mini`. */
  readonly model?: string;
  /** `OPENAI_API_KEY` by default. Read at the first call; a function is asked at every call. */
  readonly apiKey?: string | (() => Promise<string>);
  /** `OPENAI_BASE_URL`, else OpenAI's own. */
  readonly baseURL?: string;
  /** What clients see as the model's name; `model` by default. */
  readonly name?: string;
  readonly timeouts?: ModelTimeouts;
  readonly retry?: ModelRetryOptions;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields put into every request's body, over the library's own: `{ reasoning_effort: 'low' }`. */
  readonly extraBody?: JsonObject;
  /** In what the service differs from OpenAI; the presets know this of theirs. */
  readonly quirks?: OpenAiQuirks;
  readonly fetch?: typeof fetch;
}
