import type OpenAI from 'openai' with { 'resolution-mode': 'import' };
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { defined } from '../../internal';
import type { JsonObject } from '../../message';
import type { ModelRequest } from '../chat-model';
import type { AnswerDecoder, AnswerResponse } from '../stream';
import type { AssemblerOptions } from '../tool-calls';
import type { OpenAiOptions } from './openai-options';
import type { OpenAiProtocol, OpenAiTarget } from './openai-protocol';
import type { OpenAiQuirks } from './openai-quirks';
import { answerIn, explained } from './openai-refused';
import { toOpenAiRequest } from './request';
import { OpenAiStreamDecoder } from './stream';

const USE_OTHER_FIELD = /'max_tokens' is not supported .{0,100}'max_completion_tokens'/;

/** Chat Completions, of OpenAI and of compatible services. */
export class OpenAiChatProtocol implements OpenAiProtocol {
  constructor(
    private readonly target: OpenAiTarget,
    private readonly options: OpenAiOptions,
    private quirks: OpenAiQuirks,
  ) {}

  async open(client: OpenAI, request: ModelRequest, signal: AbortSignal): Promise<AnswerResponse> {
    const { model, name, provider } = this.target;
    const { extraBody } = this.options;
    const asked = toOpenAiRequest(request, model, this.quirks, provider);
    const body: ChatCompletionCreateParamsStreaming = {
      ...this.defaults(),
      ...asked,
      ...this.tools(asked),
      ...extraBody,
      stream: true,
    };
    try {
      return await client.chat.completions.create(body, { signal }).asResponse();
    } catch (error) {
      const answer = answerIn(error);
      if (answer) return answer;
      const isRenamed = 'max_tokens' in asked && error instanceof Error;
      if (!isRenamed || !USE_OTHER_FIELD.test(error.message)) throw explained(error, name);
      // A name does not tell that a gateway's model is one of OpenAI's; its first refusal does.
      this.quirks = { ...this.quirks, maxTokensField: 'max_completion_tokens' };
      return this.open(client, request, signal);
    }
  }

  decoder(options: AssemblerOptions & { readonly modelName: string }): AnswerDecoder {
    const { thinkTags } = this.quirks;
    return new OpenAiStreamDecoder({ ...options, provider: this.target.provider, thinkTags });
  }

  /** Defaults that a request may override. */
  private defaults(): JsonObject {
    const { reasoning, verbosity, serviceTier, promptCacheKey } = this.options;
    return defined({
      reasoning_effort: reasoning?.effort,
      verbosity,
      service_tier: serviceTier,
      prompt_cache_key: promptCacheKey,
    }) as JsonObject;
  }

  private tools({
    tools = [],
  }: ChatCompletionCreateParamsStreaming): Pick<ChatCompletionCreateParamsStreaming, 'tools'> {
    const { providerTools = [] } = this.options;
    // A service's own tools have types that OpenAI's SDK does not know.
    const own = providerTools as unknown as typeof tools;
    return own.length === 0 ? {} : { tools: [...tools, ...own] };
  }
}
