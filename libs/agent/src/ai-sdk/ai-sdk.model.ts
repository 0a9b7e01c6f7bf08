import { anObject, flag, optionsOf } from '../checks';
import { Batched, type JsonObject } from '../message';
import { type ChatModel, type ModelRetryOptions, type ModelTimeouts } from '../model';
import {
  checkModelOptions,
  DEFAULT_TIMEOUTS,
  PROVIDER_CHECKS,
  retryBeforeFirstEvent,
} from '../model/stream';
import { namesOf, usedCallIds } from '../model/tool-calls';
import { streamAnswer } from './ai-sdk-answer';
import {
  versionOf,
  type AiSdkLanguageModel,
  type AiSdkProviderTool,
} from './ai-sdk-language-model';
import { callId } from './ai-sdk-prompt';
import { AiSdkOwner } from './ai-sdk-provider-data';
import { toAiSdkOptions } from './ai-sdk-request';
import { AiSdkStreamDecoder } from './ai-sdk-stream.decoder';
import type { CallOptions } from './ai-sdk-call';

/**
 * Options of `aiSdk()`.
 *
 * @example
 * import type { AiSdkOptions } from 'nestjs-agent/ai-sdk';
 *
 * const options: AiSdkOptions = { providerOptions: { anthropic: { effort: 'low' } } };
 */
export interface AiSdkOptions {
  /** The model's name for clients; its own by default. */
  readonly name?: string;
  /** Whether pictures are sent; `true` by default. If not, their names are sent instead. */
  readonly images?: boolean;
  /** Whether files are sent; `true` by default. If not, their names are sent instead. */
  readonly files?: boolean;
  /** Sent with every request, keyed by provider name; none by default. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
  /**
   * Tools that the provider runs itself; none by default. They are displayed, and never run here.
   */
  readonly providerTools?: readonly AiSdkProviderTool[];
  /** Sent with every request; none by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the model may stay silent; missing values keep their defaults. */
  readonly timeouts?: ModelTimeouts;
  /** Retries before the first event; missing values keep their defaults. */
  readonly retry?: ModelRetryOptions;
}

const CHECK = optionsOf<AiSdkOptions>({
  ...PROVIDER_CHECKS,
  images: flag,
  files: flag,
  providerOptions: anObject,
});

/**
 * A language model of the AI SDK, so that you can use every provider with an AI SDK package:
 * Bedrock, Vertex, Cohere and many more. The package handles keys and addresses.
 *
 * @param model a model of specification v2, v3 or v4, as created by packages for `ai` 5, 6 and 7
 * @param options every option has a default
 * @throws TypeError if the model has another specification
 * @throws AgentError `invalid_options` for options that do not exist or do not fit
 * @throws ModelError while streaming, see `ModelErrorCode`
 * @see https://ai-sdk.dev/providers/ai-sdk-providers
 * @example
 * import { google } from '\@ai-sdk/google';
 * import { aiSdk } from 'nestjs-agent/ai-sdk';
 *
 * AgentModule.forRoot({ model: aiSdk(google('gemini-3.5-flash')) });
 */
export function aiSdk(model: AiSdkLanguageModel, options: AiSdkOptions = {}): ChatModel {
  const version = versionOf(model);
  checkModelOptions('aiSdk()', CHECK, options);
  const owner = new AiSdkOwner(model.provider);
  const { images = true, files = true, retry = {} } = options;
  const modelName = options.name ?? model.modelId;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const { providerOptions, providerTools, headers } = options;
  const sight = { version, images, files };
  const settings = { model, owner, ...sight, providerOptions, providerTools, headers };
  return {
    name: modelName,
    provider: model.provider,
    capabilities: { tools: true, images, files },
    stream: (request, { signal, observer }) => {
      const attempt = () => {
        const used = usedCallIds(request.messages);
        const usedIds = [...used, ...used.map(callId)];
        return streamAnswer({
          modelName,
          timeouts,
          signal,
          observer,
          headers,
          decoder: new AiSdkStreamDecoder({ modelName, owner, usedIds, ...namesOf(request) }),
          open: async (abortSignal) => {
            const asked = await toAiSdkOptions(request, settings);
            const call: CallOptions = { ...asked, abortSignal };
            return (await model.doStream(call as never)).stream;
          },
        });
      };
      return new Batched(retryBeforeFirstEvent(attempt, retry, signal, observer));
    },
  };
}
