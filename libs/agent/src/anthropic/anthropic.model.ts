import type Anthropic from '@anthropic-ai/sdk' with { 'resolution-mode': 'import' };
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { isJsonObject, type JsonObject } from '../message';
import {
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ModelRetryOptions,
  type ModelTimeouts,
} from '../model';
import { providerFetch, RefusedSettings, streamProvider } from '../model/stream';
import { anthropicInputOf, toAnthropicRequest } from './request';
import { AnthropicStreamDecoder } from './stream';
import { goingOn, wholeTurn, type SaidSoFar } from './anthropic-turn';

/**
 * Options of `anthropic()`.
 *
 * @example
 * import { anthropic, type AnthropicOptions } from 'nestjs-agent/anthropic';
 *
 * const options: AnthropicOptions = { model: 'claude-sonnet-5-5', thinking: 'adaptive' };
 * const model = anthropic(options);
 */
export interface AnthropicOptions {
  /** The model's name at Anthropic. Required. */
  readonly model: string;
  /** `ANTHROPIC_API_KEY` by default, read at the first call. */
  readonly apiKey?: string;
  /** `ANTHROPIC_BASE_URL`, else Anthropic's own. */
  readonly baseURL?: string;
  /** The model's name for clients; `model` by default. */
  readonly name?: string;
  /** How long it may stay silent; a value left out keeps its default. */
  readonly timeouts?: ModelTimeouts;
  /** How often it is tried again before its first event; a value left out keeps its default. */
  readonly retry?: ModelRetryOptions;
  /**
   * How long the provider caches the part that is the same in every call, so that it is cheaper and
   * sooner read: `5m` by default, `1h` costs more to write; `false` keeps nothing.
   *
   * @see https://platform.claude.com/docs/en/build-with-claude/prompt-caching
   */
  readonly cache?:
    | {
        /** For how long after it was last used; `5m` by default. */
        readonly ttl?: '5m' | '1h';
      }
    | false;
  /**
   * How the model may think before it answers: `'adaptive'`, as much as it sees fit, or
   * `{ budgetTokens }`, up to that many tokens, 1 024 at least. A model takes the one or the other,
   * the newer ones the first. By default each does as it does by itself.
   *
   * @see https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
   */
  readonly thinking?:
    | 'adaptive'
    | {
        /** The most tokens that it may think for. */
        readonly budgetTokens: number;
      };
  /**
   * How much the model does for an answer: `low`, `medium`, `high`, `xhigh` or `max`; the provider's
   * own by default, which is `high`. Only newer models take it. A request's `reasoningEffort` goes
   * over it.
   *
   * @see https://platform.claude.com/docs/en/build-with-claude/effort
   */
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /**
   * Tools that Anthropic runs itself, in its own words, such as
   * `{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }`; none by default. Their calls
   * are shown, and never run here.
   *
   * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
   */
  readonly providerTools?: readonly JsonObject[];
  /**
   * Fields put into every request's body, over the library's own; none by default. A feature in beta
   * needs its name in the header `anthropic-beta` as well.
   */
  readonly extraBody?: JsonObject;
  /** Sent with every request; none by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the requests; by default undici, through the dispatcher of Node's own `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * A model behind Anthropic's Messages API. The package `@anthropic-ai/sdk` is loaded at the first
 * call; without it, or without a key, that call fails and says what to do.
 *
 * @param options `model` is required
 * @throws ModelError while streaming, see `ModelErrorCode`
 * @see https://docs.anthropic.com/en/api/messages
 * @example
 * import { anthropic } from 'nestjs-agent/anthropic';
 *
 * AgentModule.forRoot({ model: anthropic({ model: 'claude-sonnet-5-5' }) });
 */
export function anthropic(options: AnthropicOptions): ChatModel {
  return new AnthropicModel(options);
}

class AnthropicModel implements ChatModel {
  readonly name: string;
  readonly provider = 'anthropic';
  readonly capabilities = { tools: true, images: true, files: true } as const;
  private readonly settings = new RefusedSettings();
  private client: Anthropic | undefined;

  constructor(private readonly options: AnthropicOptions) {
    this.name = options.name ?? options.model;
  }

  stream(
    request: ModelRequest,
    call: Parameters<ChatModel['stream']>[1],
  ): AsyncIterable<ModelEvent> {
    const inputOf = anthropicInputOf(request.tools);
    return wholeTurn((said) => {
      let decoder: AnthropicStreamDecoder | undefined;
      const events = streamProvider(request, call, {
        modelName: this.name,
        timeouts: this.options.timeouts,
        retry: this.options.retry,
        decoder: (options) =>
          (decoder = new AnthropicStreamDecoder({ ...options, inputOf, heardIds: said.ids })),
        open: (guarded) => this.open(request, said, guarded),
      });
      return { events, decoder: () => decoder };
    }, request.maxContinuations);
  }

  private async open(
    request: ModelRequest,
    said: SaidSoFar,
    signal: AbortSignal,
  ): Promise<Response> {
    // Kept once it is made, so that a key that is missing now may be there at the next call.
    const client = (this.client ??= await this.connect());
    const { model, cache, thinking, effort, providerTools, extraBody } = this.options;
    const cacheTtl = cache === false ? undefined : (cache?.ttl ?? '5m');
    const settings = { model, cacheTtl, thinking, effort, providerTools };
    return this.settings.without(request, (asked) => {
      const body = goingOn(toAnthropicRequest(asked, settings), said);
      return client.messages.create(withExtra(body, extraBody), { signal }).asResponse();
    });
  }

  private async connect(): Promise<Anthropic> {
    const { apiKey = process.env['ANTHROPIC_API_KEY'], baseURL, headers } = this.options;
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
      fetch: providerFetch(this.options.fetch),
      // Retries and time-outs are ours: they must end with the run, and know of the first event.
      maxRetries: 0,
      timeout: 2_147_483_647,
    });
  }
}

/** Answers are always read as streams. */
function withExtra(
  body: MessageCreateParamsStreaming,
  { container, ...extra }: JsonObject = {},
): MessageCreateParamsStreaming {
  // A container may be given its skills with every request, and be known by its id later on.
  const given = isJsonObject(container) && typeof body.container === 'string';
  const kept = given ? { ...container, id: body.container } : (body.container ?? container);
  return {
    ...body,
    ...extra,
    ...(kept !== undefined && { container: kept }),
    stream: true,
  } as never;
}
