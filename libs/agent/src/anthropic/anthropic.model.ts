import type Anthropic from '@anthropic-ai/sdk' with { 'resolution-mode': 'import' };
import {
  ModelError,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
  type ModelRetryOptions,
  type ModelTimeouts,
} from '../model';
import {
  DEFAULT_TIMEOUTS,
  namesOf,
  retryBeforeFirstEvent,
  streamAnswer,
  usedCallIds,
} from '../model/stream';
import { toAnthropicRequest } from './anthropic-request';
import { AnthropicStreamDecoder } from './anthropic-stream.decoder';

/** Options of `anthropic()`. */
export interface AnthropicOptions {
  /** The model's name at Anthropic. */
  readonly model: string;
  /** `ANTHROPIC_API_KEY` by default, read at the first call. */
  readonly apiKey?: string;
  /** `ANTHROPIC_BASE_URL`, else Anthropic's own. */
  readonly baseURL?: string;
  /** What clients see as the model's name; `model` by default. */
  readonly name?: string;
  readonly timeouts?: ModelTimeouts;
  readonly retry?: ModelRetryOptions;
  /** Lets the provider keep what stays the same from call to call; true by default. */
  readonly promptCaching?: boolean;
  /** How many tokens the model may think for before it answers; 0 by default. */
  readonly thinkingTokens?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

/**
 * A model behind Anthropic's Messages API. The package `@anthropic-ai/sdk` is loaded at the first
 * call; without it, or without a key, that call fails and says what to do.
 *
 * @throws ModelError while streaming, see `ModelErrorCode`
 * @example
 * AgentModule.forRoot({ model: anthropic({ model: 'claude-sonnet-4-5' }) });
 */
export function anthropic(options: AnthropicOptions): ChatModel {
  return new AnthropicModel(options);
}

export class AnthropicModel implements ChatModel {
  readonly name: string;
  readonly capabilities = { tools: true, images: true, files: true } as const;
  private readonly timeouts: Required<ModelTimeouts>;
  private client: Promise<Anthropic> | undefined;

  constructor(private readonly options: AnthropicOptions) {
    this.name = options.name ?? options.model;
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  }

  stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncIterable<ModelEvent> {
    return retryBeforeFirstEvent(
      () => this.attempt(request, signal),
      this.options.retry ?? {},
      signal,
    );
  }

  private attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const { offered, nameOf } = namesOf(request);
    const decoder = new AnthropicStreamDecoder({
      modelName: this.name,
      usedIds: usedCallIds(request.messages),
      offeredNames: offered,
      nameOf,
    });
    return streamAnswer({
      modelName: this.name,
      timeouts: this.timeouts,
      signal,
      decoder,
      open: (guarded) => this.open(request, guarded),
    });
  }

  private async open(request: ModelRequest, signal: AbortSignal): Promise<Response> {
    const client = await (this.client ??= this.connect());
    const { model, promptCaching = true, thinkingTokens = 0 } = this.options;
    const body = toAnthropicRequest(request, { model, promptCaching, thinkingTokens });
    return client.messages.create(body, { signal }).asResponse();
  }

  private async connect(): Promise<Anthropic> {
    try {
      return await this.load();
    } catch (error) {
      // The next call tries again: the key may have come into the environment by then.
      this.client = undefined;
      throw error;
    }
  }

  private async load(): Promise<Anthropic> {
    const { apiKey = process.env['ANTHROPIC_API_KEY'], baseURL, headers, fetch } = this.options;
    const { default: Client } = await import('@anthropic-ai/sdk').catch((cause: unknown) => {
      throw new ModelError(
        'model_unavailable',
        'anthropic() needs the package @anthropic-ai/sdk. Install it: npm install @anthropic-ai/sdk',
        { cause, isRetryable: false },
      );
    });
    if (apiKey === undefined || apiKey === '') {
      throw new ModelError(
        'model_authentication',
        `There is no API key for the model ${this.name}. Set ANTHROPIC_API_KEY or pass anthropic({ apiKey }).`,
      );
    }
    return new Client({
      apiKey,
      authToken: null,
      ...(baseURL === undefined ? {} : { baseURL }),
      ...(headers === undefined ? {} : { defaultHeaders: { ...headers } }),
      ...(fetch === undefined ? {} : { fetch }),
      // Retries and time-outs are ours: they must end with the run, and know of the first event.
      maxRetries: 0,
      timeout: 2_147_483_647,
    });
  }
}
