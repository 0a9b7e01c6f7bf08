import type OpenAI from 'openai' with { 'resolution-mode': 'import' };
import type { ModelRequest } from '../../chat-model';
import type { OpenAiOptions } from '../openai-options';
import type { OpenAiProtocol, OpenAiTarget } from '../openai-protocol';
import type { OpenAiQuirks } from '../openai-quirks';
import { answerIn } from '../openai-refused';
import type { AnswerDecoder, AnswerResponse } from '../../stream';
import type { AssemblerOptions } from '../../tool-calls';
import { toResponsesRequest } from './responses-request';
import { ResponsesStreamDecoder } from './responses-stream.decoder';

/** OpenAI's models without reasoning refuse a request for their thoughts. */
const THINKS_NOT = /^(ft:)?(gpt-3|gpt-4|chatgpt-4|davinci|babbage)/;

/** The Responses API. */
export class ResponsesProtocol implements OpenAiProtocol {
  /** Whether a deployment's model reasons is unknown until its first refusal. */
  private isEncrypted: boolean;

  constructor(
    private readonly target: OpenAiTarget,
    private readonly options: OpenAiOptions,
    private readonly quirks: OpenAiQuirks,
  ) {
    this.isEncrypted = !THINKS_NOT.test(target.model);
  }

  async open(client: OpenAI, request: ModelRequest, signal: AbortSignal): Promise<AnswerResponse> {
    try {
      return await this.send(client, request, signal);
    } catch (error) {
      const answer = answerIn(error);
      if (answer) return answer;
      if (!this.isEncrypted || !refusesEncryption(error)) throw error;
      this.isEncrypted = false;
      return this.send(client, request, signal);
    }
  }

  decoder(options: AssemblerOptions & { readonly modelName: string }): AnswerDecoder {
    return new ResponsesStreamDecoder({ ...options, provider: this.target.provider });
  }

  private send(client: OpenAI, request: ModelRequest, signal: AbortSignal): Promise<Response> {
    const { options, quirks, isEncrypted } = this;
    const { model, provider } = this.target;
    const settings = { ...options, model, provider, quirks, isEncrypted };
    const body = {
      ...toResponsesRequest(request, settings),
      ...options.extraBody,
      stream: true as const,
    };
    return client.responses.create(body, { signal }).asResponse();
  }
}

function refusesEncryption(error: unknown): boolean {
  return error instanceof Error && /encrypted content is not supported/i.test(error.message);
}
