import type OpenAI from 'openai' with { 'resolution-mode': 'import' };
import type { ModelRequest } from '../chat-model';
import type { AnswerDecoder, AnswerResponse } from '../stream';
import type { AssemblerOptions } from '../tool-calls';

/** The model of an adapter, for every protocol. */
export interface OpenAiTarget {
  readonly model: string;
  /** The model's name, as clients see it. */
  readonly name: string;
  /** See `ProviderData`. */
  readonly provider: string;
}

/** One of OpenAI's two APIs. */
export interface OpenAiProtocol {
  /** Sends a request; returns the SDK's raw response. */
  open(client: OpenAI, request: ModelRequest, signal: AbortSignal): Promise<AnswerResponse>;
  /** Reads an attempt at the answer. */
  decoder(options: AssemblerOptions & { readonly modelName: string }): AnswerDecoder;
}
