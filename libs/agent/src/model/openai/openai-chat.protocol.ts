import { isDeepStrictEqual } from 'node:util';
import type OpenAI from 'openai' with { 'resolution-mode': 'import' };
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { defined } from '../../internal';
import type { JsonObject } from '../../message';
import type { ModelRequest } from '../chat-model';
import { textIn, type AnswerDecoder, type AnswerResponse } from '../stream';
import type { AssemblerOptions } from '../tool-calls';
import type { OpenAiOptions } from './openai-options';
import type { OpenAiProtocol, OpenAiTarget } from './openai-protocol';
import type { OpenAiQuirks } from './openai-quirks';
import { answerIn, explained } from './openai-refused';
import { toOpenAiRequest } from './request';
import { OpenAiStreamDecoder } from './stream';

/**
 * The texts of refusals, and the difference that each implies. A name does not identify the model
 * behind a gateway.
 */
const LEARNED: readonly (readonly [RegExp, OpenAiQuirks])[] = [
  [
    /'max_tokens' is not supported .{0,100}'max_completion_tokens'/,
    { maxTokensField: 'max_completion_tokens' },
  ],
  // DeepSeek's and Kimi's, also for answers of other models.
  [
    /reasoning_content\b.{0,50}(?:must be passed back|is missing)/,
    { reasoningBack: 'reasoning_content' },
  ],
  [/missing a `?thought_signature/, { signedCalls: true }],
  [/moonshot flavored json schema/, { plainUnions: true }],
  // llama.cpp's, also within LM Studio.
  [
    /json schema conversion failed|failed to parse grammar|error parsing grammar/i,
    { grammarSchemas: true },
  ],
  // LM Studio's.
  [/invalid tool_choice type: 'object'/i, { toolChoice: 'no-name' }],
  // Databricks', and that of models on Azure.
  [/\bstream_options\b/, { streamUsage: false }],
  // Perplexity's, and that of Mistral's and Gemma's templates.
  [/\b(?:roles|messages?(?:\(s\))?) .{0,40}\balternat(?:e|ing)\b/i, { alternatingRoles: true }],
  // Qwen's, and MiniMax's.
  [
    /system message must be at the beginning|invalid message role: system|invalid chat setting/i,
    { singleSystem: true },
  ],
  // Gemma's template, and Google's own words.
  [/system role not supported|developer instruction is not enabled/i, { userSystem: true }],
  // Mistral's own words, and those of its templates.
  [/unexpected role 'user' after role 'tool'/i, { assistantAfterTool: true }],
  [/tool call ids? .{0,200}\blength (?:of )?9\b/i, { shortCallIds: true }],
  // Llama's template.
  [/single tool-calls at once/i, { singleCalls: true }],
];

/** Chat Completions, of OpenAI and of compatible services. */
export class OpenAiChatProtocol implements OpenAiProtocol {
  constructor(
    private readonly target: OpenAiTarget,
    private readonly options: OpenAiOptions,
    private quirks: OpenAiQuirks,
  ) {}

  open(client: OpenAI, request: ModelRequest, signal: AbortSignal): Promise<AnswerResponse> {
    return this.send(client, request, signal, {});
  }

  /** @param learned differences from refusals of this request, kept once a request succeeds with them */
  private async send(
    client: OpenAI,
    request: ModelRequest,
    signal: AbortSignal,
    learned: OpenAiQuirks,
  ): Promise<AnswerResponse> {
    const quirks = { ...this.quirks, ...learned };
    const body = this.bodyOf(request, quirks);
    try {
      const answer = await client.chat.completions.create(body, { signal }).asResponse();
      this.quirks = { ...this.quirks, ...learned };
      return answer;
    } catch (error) {
      const answer = answerIn(error);
      if (answer) return answer;
      const difference = differenceIn(error, quirks);
      const isChanged = !isDeepStrictEqual(
        this.bodyOf(request, { ...quirks, ...difference }),
        body,
      );
      if (!isChanged) throw explained(error, this.target.name);
      return this.send(client, request, signal, { ...learned, ...difference });
    }
  }

  private bodyOf(request: ModelRequest, quirks: OpenAiQuirks): ChatCompletionCreateParamsStreaming {
    const { model, provider } = this.target;
    const asked = toOpenAiRequest(request, model, quirks, provider);
    return {
      ...this.defaults(),
      ...asked,
      ...this.tools(asked),
      ...this.options.extraBody,
      stream: true,
    };
  }

  decoder(options: AssemblerOptions & { readonly modelName: string }): AnswerDecoder {
    const { quirks } = this;
    return new OpenAiStreamDecoder({
      ...options,
      provider: this.target.provider,
      thinkTags: quirks.thinkTags,
      learns: (error) => this.learns(error, quirks),
    });
  }

  /** Whether an error within an answer implies a difference that was unknown to the request. */
  private learns(error: unknown, known: OpenAiQuirks): boolean {
    const difference = differenceIn(error, known);
    this.quirks = { ...this.quirks, ...difference };
    return difference !== undefined;
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

/** The difference that an error implies, unless it is known. */
function differenceIn(error: unknown, known: OpenAiQuirks): OpenAiQuirks | undefined {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  const entry = LEARNED.find(
    ([words, quirks]) =>
      words.test(textIn(message)) && !isDeepStrictEqual({ ...known, ...quirks }, known),
  );
  return entry?.[1];
}
