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
import {
  answerOf,
  type AnswerResponse,
  assertBaseUrl,
  errorOf,
  isRefusal,
  NO_RETRIES,
  providerFetch,
  RefusedSettings,
  streamProvider,
  checkModelOptions,
  PROVIDER_CHECKS,
} from '../model/stream';
import { MissingPackageError, requireVersion } from '../tool';
import { anthropicInputOf, toAnthropicRequest } from './request';
import { AnthropicStreamDecoder } from './stream';
import { goingOn, wholeTurn, type AnswerSoFar } from './anthropic-turn';
import {
  aFunction,
  anObject,
  anyText,
  falseOr,
  isObject,
  ofKind,
  oneOf,
  optionsOf,
  text,
} from '../checks';

const SDK = '@anthropic-ai/sdk';

const CHECK = optionsOf<AnthropicOptions>({
  ...PROVIDER_CHECKS,
  model: text,
  // An environment variable may be empty.
  apiKey: anyText,
  baseURL: anyText,
  cache: falseOr(
    optionsOf<Exclude<NonNullable<AnthropicOptions['cache']>, false>>({ ttl: oneOf('5m', '1h') }),
  ),
  thinking: ofKind(
    '"adaptive" or { budgetTokens }',
    (value) => value === 'adaptive' || (isObject(value) && isTokens(value['budgetTokens'])),
  ),
  effort: oneOf('low', 'medium', 'high', 'xhigh', 'max'),
  extraBody: anObject,
  fetch: aFunction,
});

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
  /** How long the model may stay silent; missing values keep their defaults. */
  readonly timeouts?: ModelTimeouts;
  /** Retries before the first event; missing values keep their defaults. */
  readonly retry?: ModelRetryOptions;
  /**
   * How long the provider caches the constant part of requests, which makes it cheaper and faster
   * to read: `5m` by default; `1h` costs more to write; `false` disables caching.
   *
   * @see https://platform.claude.com/docs/en/build-with-claude/prompt-caching
   */
  readonly cache?:
    | {
        /** The time since its last use; `5m` by default. */
        readonly ttl?: '5m' | '1h';
      }
    | false;
  /**
   * How the model may think before it answers: `'adaptive'`, as much as it decides, or `{
   * budgetTokens }`, up to that many tokens, at least 1 024. A model supports one of the two, newer
   * models the first. The model's own default if missing.
   *
   * @see https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
   */
  readonly thinking?:
    | 'adaptive'
    | {
        /** Maximum number of tokens for thinking. */
        readonly budgetTokens: number;
      };
  /**
   * How much effort the model puts into an answer: `low`, `medium`, `high`, `xhigh` or `max`; the
   * provider's default, `high`, if missing. Only newer models support it. A request's
   * `reasoningEffort` overrides it.
   *
   * @see https://platform.claude.com/docs/en/build-with-claude/effort
   */
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /**
   * Tools that Anthropic runs itself, in Anthropic's form, such as `{ type: 'web_search_20250305',
   * name: 'web_search', max_uses: 5 }`; none by default. Their calls are shown, and never run here.
   *
   * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
   */
  readonly providerTools?: readonly JsonObject[];
  /**
   * Fields added to every request's body; they override the library's own. None by default. A beta
   * feature also needs its name in the header `anthropic-beta`.
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
 * @throws AgentError `invalid_options` for options that do not exist or do not fit, or without a model
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
    checkAnthropicOptions(options);
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
    said: AnswerSoFar,
    signal: AbortSignal,
  ): Promise<AnswerResponse> {
    // Kept only once it was created, so that a key that is missing now may be set before the next
    // call.
    const client = (this.client ??= await this.connect());
    const { model, cache, thinking, effort, providerTools, extraBody } = this.options;
    const cacheTtl = cache === false ? undefined : (cache?.ttl ?? '5m');
    const settings = { model, cacheTtl, thinking, effort, providerTools };
    return this.settings.without(request, (asked) => {
      const body = goingOn(toAnthropicRequest(asked, settings), said);
      const answer = client.messages.create(withExtra(body, extraBody), { signal }).asResponse();
      return answer.catch(refusalIn);
    });
  }

  private async connect(): Promise<Anthropic> {
    const { apiKey = process.env['ANTHROPIC_API_KEY'], baseURL, headers } = this.options;
    const { default: Client } = await importSdk().catch((cause: unknown) => {
      const { message } =
        cause instanceof MissingPackageError
          ? cause
          : new MissingPackageError([SDK], 'anthropic()');
      throw new ModelError('model_unavailable', message, { cause, isRetryable: false });
    });
    if (apiKey === undefined || apiKey === '') {
      throw new ModelError(
        'model_authentication',
        `There is no API key for the model ${this.name}. Set ANTHROPIC_API_KEY or pass anthropic({ apiKey }).`,
      );
    }
    const client = new Client({
      apiKey,
      authToken: null,
      ...(baseURL === undefined ? {} : { baseURL: baseURL.trim() }),
      ...(headers === undefined ? {} : { defaultHeaders: { ...headers } }),
      fetch: providerFetch(this.options.fetch),
      ...NO_RETRIES,
    });
    assertBaseUrl(client.baseURL, this.name); // the option's, or that of the environment
    return client;
  }
}

/** Answers are always read as streams. */
function withExtra(
  body: MessageCreateParamsStreaming,
  { container, ...extra }: JsonObject = {},
): MessageCreateParamsStreaming {
  // The application may set a container's skills in every request; its id is added once it is
  // known.
  const given = isJsonObject(container) && typeof body.container === 'string';
  const kept = given ? { ...container, id: body.container } : (body.container ?? container);
  return {
    ...body,
    ...extra,
    ...(kept !== undefined && { container: kept }),
    stream: true,
  } as never;
}

function isTokens(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** @throws InvalidOptionsError for options that do not exist, do not fit, or are missing */
function checkAnthropicOptions(options: AnthropicOptions): void {
  checkModelOptions('anthropic()', CHECK, options, ['model']);
}

/** @throws an error that is no refusal */
function refusalIn(thrown: unknown): AnswerResponse {
  const body = errorOf(thrown);
  const error = isJsonObject(body) ? body['error'] : undefined;
  if (!isRefusal(error)) throw thrown;
  return answerOf(error);
}

async function importSdk() {
  requireVersion(SDK, 'anthropic()');
  return import('@anthropic-ai/sdk');
}
