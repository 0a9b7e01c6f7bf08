import type { ChatModel } from '../chat-model';
import type { OpenAiOptions } from './openai-options';

/**
 * A model of OpenAI through the Responses API, or of a service with Chat Completions. It can be
 * created without a key: a missing key is a `ModelError` of the first call.
 *
 * @param options all of them have a default
 * @throws AgentError `invalid_options` for options that do not exist or do not fit
 * @throws ModelError while streaming, see `ModelErrorCode`
 * @see https://platform.openai.com/docs/api-reference/responses
 * @see https://platform.openai.com/docs/api-reference/chat
 * @example
 * AgentModule.forRoot({ model: openai({ model: 'gpt-5.4', reasoning: { effort: 'low' } }) });
 * openai({ model: 'qwen3', baseURL: 'http://127.0.0.1:8000/v1' });
 */
export function openai(options: OpenAiOptions = {}): ChatModel {
  return openAiService(options);
}

/** The service, for its environment variables and its name in messages. */
export interface OpenAiService {
  readonly baseURL: string;
  /** The environment variable with the key; without one, no key is needed. */
  readonly keyVariable?: string;
}

/** A model of one service, by default of OpenAI. */
export function openAiService(options: OpenAiOptions, service?: OpenAiService): ChatModel {
  const { OpenAiModel } = require('./openai.model') as typeof import('./openai.model');
  return new OpenAiModel(options, service);
}
