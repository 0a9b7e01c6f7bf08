import type OpenAI from 'openai' with { 'resolution-mode': 'import' };
import type { ChatModel, ModelCapabilities, ModelEvent, ModelRequest } from '../chat-model';
import { ModelError } from '../model-error';
import { ResponsesProtocol } from './responses';
import {
  assertBaseUrl,
  NO_RETRIES,
  providerFetch,
  RefusedSettings,
  streamProvider,
  type AnswerResponse,
  checkModelOptions,
  PROVIDER_CHECKS,
} from '../stream';
import { OpenAiChatProtocol } from './openai-chat.protocol';
import type { OpenAiService } from './openai';
import type { OpenAiOptions } from './openai-options';
import type { OpenAiProtocol } from './openai-protocol';
import { OPENAI_QUIRKS, type OpenAiQuirks } from './openai-quirks';
import { openAiInputOf } from './request';
import {
  aFunction,
  anObject,
  anyText,
  count,
  either,
  flag,
  isFunction,
  oneOf,
  optionsOf,
  text,
} from '../../checks';

const CHECK = optionsOf<OpenAiOptions>({
  ...PROVIDER_CHECKS,
  model: text,
  // An environment variable may be empty.
  apiKey: either(isFunction, anyText),
  baseURL: anyText,
  api: oneOf('responses', 'chat'),
  reasoning: optionsOf<NonNullable<OpenAiOptions['reasoning']>>({
    effort: text,
    summary: oneOf('auto', 'concise', 'detailed'),
  }),
  verbosity: text,
  serviceTier: text,
  promptCacheKey: text,
  extraBody: anObject,
  quirks: optionsOf<OpenAiQuirks>({
    maxTokensField: oneOf('max_tokens', 'max_completion_tokens'),
    toolChoice: oneOf('all', 'no-name', 'no-force', 'auto'),
    requiredAs: text,
    responseFormat: oneOf('json_schema', 'json_object', 'prompt'),
    streamUsage: flag,
    reasoningBack: oneOf('reasoning_content', 'reasoning', 'think_tags'),
    thinkTags: flag,
    singleSystem: flag,
    userSystem: flag,
    singleCalls: flag,
    alternatingRoles: flag,
    assistantAfterTool: flag,
    plainUnions: flag,
    grammarSchemas: flag,
    signedCalls: flag,
    shortCallIds: flag,
    maxCallIdChars: count,
    textParts: flag,
    strictTools: flag,
    cacheMarks: flag,
    tools: flag,
    images: flag,
    files: flag,
  }),
  fetch: aFunction,
});

const AZURE = /\.(openai|services\.ai|cognitiveservices)\.azure\.(com|us|cn)$/;

const OPENAI_URL = 'https://api.openai.com/v1';

/** Calls one service. */
export class OpenAiModel implements ChatModel {
  readonly name: string;
  readonly provider: string;
  readonly capabilities: ModelCapabilities;
  private readonly baseUrl: string;
  private readonly isOpenAi: boolean;
  private readonly protocol: OpenAiProtocol;
  private readonly settings = new RefusedSettings();
  private client: OpenAI | undefined;

  constructor(
    private readonly options: OpenAiOptions,
    private readonly service?: OpenAiService,
  ) {
    checkOpenAiOptions(options, service?.baseURL);
    const variable = (name: string) => (service === undefined ? fromEnvironment(name) : undefined);
    const model = options.model ?? variable('OPENAI_MODEL') ?? 'gpt-4.1-mini';
    this.name = options.name ?? model;
    const { baseURL = service?.baseURL ?? variable('OPENAI_BASE_URL') ?? OPENAI_URL } = options;
    this.baseUrl = baseURL.trim();
    const { provider, isOpenAi, hasResponses } = openAiAddress(this.baseUrl);
    this.isOpenAi = isOpenAi;
    this.provider = isOpenAi ? 'openai' : URL.canParse(this.baseUrl) ? provider : 'custom';
    const { api = hasResponses ? 'responses' : 'chat' } = options;
    // The rules of the Responses API hold for every service that has it.
    const isAlike = isOpenAi || api === 'responses';
    const quirks = { ...(isAlike ? OPENAI_QUIRKS : {}), ...options.quirks };
    const target = { model, name: this.name, provider };
    const Protocol = api === 'responses' ? ResponsesProtocol : OpenAiChatProtocol;
    this.protocol = new Protocol(target, options, quirks);
    this.capabilities = {
      tools: quirks.tools !== false,
      images: quirks.images !== false,
      files: quirks.files !== false,
    };
  }

  stream(
    request: ModelRequest,
    call: Parameters<ChatModel['stream']>[1],
  ): AsyncIterable<ModelEvent> {
    const inputOf = openAiInputOf(request.tools);
    return streamProvider(request, call, {
      modelName: this.name,
      timeouts: this.options.timeouts,
      retry: this.options.retry,
      decoder: (options) => this.protocol.decoder({ ...options, inputOf }),
      open: (guarded) => this.open(request, guarded),
    });
  }

  private async open(request: ModelRequest, signal: AbortSignal): Promise<AnswerResponse> {
    // Kept only once it was created, so that a key that is missing now may be set before the next
    // call.
    const client = (this.client ??= await this.connect());
    return this.settings.without(request, (asked) => this.protocol.open(client, asked, signal));
  }

  private async connect(): Promise<OpenAI> {
    assertBaseUrl(this.baseUrl, this.name);
    // A key from the environment is sent to its own service only.
    const keyVariable = this.service === undefined ? 'OPENAI_API_KEY' : this.service.keyVariable;
    const { apiKey = fromEnvironment(keyVariable), headers } = this.options;
    const needsKey = this.isOpenAi || this.service?.keyVariable !== undefined;
    if (apiKey === undefined && needsKey) {
      throw new ModelError(
        'model_authentication',
        `There is no API key for the model ${this.name}. Set ${keyVariable} or pass apiKey.`,
      );
    }
    const { default: Client } = await import('openai');
    return new Client({
      baseURL: this.baseUrl,
      // A self-hosted server needs no key, but the SDK requires one; the header is then omitted.
      apiKey: apiKey ?? 'none',
      ...(this.isOpenAi ? {} : { organization: null, project: null }),
      adminAPIKey: null,
      defaultHeaders: { ...(apiKey === undefined ? { Authorization: null } : {}), ...headers },
      ...NO_RETRIES,
      fetch: providerFetch(this.options.fetch),
    });
  }
}

function fromEnvironment(variable: string | undefined): string | undefined {
  const text = variable === undefined ? undefined : process.env[variable];
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** The service at an address. */
interface OpenAiAddress {
  /** The name under which its data is stored, see `ProviderData`. */
  readonly provider: string;
  /** Whether it is a service of OpenAI. */
  readonly isOpenAi: boolean;
  /** Whether it speaks the Responses API, as far as is known. */
  readonly hasResponses: boolean;
}

/** Some regions have their own hosts, such as `eu.api.openai.com`. */
function openAiAddress(baseUrl: string): OpenAiAddress {
  if (!URL.canParse(baseUrl)) return { provider: baseUrl, isOpenAi: false, hasResponses: false };
  const { host, hostname, pathname } = new URL(baseUrl);
  const isOpenAi = hostname === 'openai.com' || hostname.endsWith('.openai.com');
  const isAzure = AZURE.test(hostname) && /^\/openai\/v1\/?$/.test(pathname);
  return { provider: host, isOpenAi, hasResponses: isOpenAi || isAzure };
}

/**
 * @param service the address of a preset's service, whose models have no default
 * @throws InvalidOptionsError for options that do not exist, do not fit, or are missing
 */
function checkOpenAiOptions(options: OpenAiOptions, service: string | undefined): void {
  if (service === undefined) checkModelOptions('openai()', CHECK, options);
  else checkModelOptions(`A model at ${service}`, CHECK, options, ['model']);
}
