import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import { openai, type ChatModel, type ModelRequest, type ToolDefinition } from 'nestjs-agent';
import type { JsonObject, JsonSchema } from 'nestjs-agent/types';
import { anthropic } from 'nestjs-agent/anthropic';
import { collect } from '../../../libs/agent/src/model/fixtures/collect';
import { DONE, finish, ModelServer } from '../../../libs/agent/src/model/fixtures/model.server';
import { said, start, stop } from './messages-stream';

/** A tool as it stands in the requests that the adapters send. */
export interface SentTool {
  readonly openAi: ChatCompletionFunctionTool;
  /** As a service is told that speaks OpenAI's protocol and has no strict mode. */
  readonly compatible: ChatCompletionFunctionTool;
  readonly anthropic: Tool;
}

/** Models of each provider, and their requests. */
export class ProviderModels {
  private constructor(
    private readonly server: ModelServer,
    private readonly openAi: ChatModel,
    private readonly compatible: ChatModel,
    private readonly anthropic: ChatModel,
  ) {}

  static async start(): Promise<ProviderModels> {
    const server = await ModelServer.start();
    server.always(({ model }) => ({
      chunks:
        model === 'claude' ? [start(), said(0, 'Yes.'), stop('end_turn')] : [finish('stop'), DONE],
    }));
    const chat = { model: 'gpt', apiKey: 'k', baseURL: server.url };
    const baseURL = server.url.replace('/v1', '');
    return new ProviderModels(
      server,
      openai({ ...chat, quirks: { strictTools: true } }),
      openai(chat),
      anthropic({ model: 'claude', apiKey: 'k', baseURL }),
    );
  }

  async tool(definition: ToolDefinition): Promise<SentTool> {
    const told = async (model: ChatModel): Promise<unknown> => {
      const { tools } = await this.sent(model, { tools: [definition] });
      return (tools as unknown as readonly unknown[])[0];
    };
    return {
      openAi: (await told(this.openAi)) as ChatCompletionFunctionTool,
      compatible: (await told(this.compatible)) as ChatCompletionFunctionTool,
      anthropic: (await told(this.anthropic)) as Tool,
    };
  }

  /** The adapters' schema of an answer; `undefined` if only the prompt can ask for it. */
  async answer(schema: JsonSchema): Promise<{
    readonly openAi: JsonSchema | undefined;
    readonly anthropic: JsonSchema | undefined;
  }> {
    const responseFormat = { type: 'json_schema', name: 'answer', schema } as const;
    const request = { responseFormat };
    const { response_format: format } = await this.sent(this.openAi, request);
    const { output_config: output } = await this.sent(this.anthropic, request);
    const bound = (format as JsonObject | undefined)?.json_schema as JsonObject | undefined;
    const bind = (output as JsonObject | undefined)?.format as JsonObject | undefined;
    return {
      openAi: bound?.strict === true ? (bound.schema as JsonSchema) : undefined,
      anthropic: bind?.schema as JsonSchema | undefined,
    };
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async sent(model: ChatModel, request: Partial<ModelRequest>): Promise<JsonObject> {
    const { error } = await collect(model, request);
    const body = this.server.requests.splice(0)[0]?.body;
    if (body === undefined) throw new Error('Nothing was sent.', { cause: error });
    return body;
  }
}
