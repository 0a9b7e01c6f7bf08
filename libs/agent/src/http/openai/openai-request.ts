import { isJsonObject, type JsonObject } from '../../message';
import type { CompletionInput } from '../../run';
import { type ClientToolSet, clientToolsOf, type SentTool } from '../client-tools';
import {
  booleanOf,
  checkFields,
  includesUsage,
  toolChoiceOf,
  wrong,
  type RawBody,
} from './openai-fields';
import { messagesOf, type ConversationLimits } from './openai-messages';
import { maxTokensOf, settingsOf } from './openai-settings';

/** A validated request of OpenAI's protocol. */
export interface CompletionRequest extends Pick<ClientToolSet, 'clientNameOf'> {
  /** The client's name of the model. */
  readonly model: string;
  readonly isStream: boolean;
  readonly includesUsage: boolean;
  readonly input: Omit<CompletionInput, 'model'>;
}

/** OpenAI allows hyphens in names, other providers do not: names are mapped, and mapped back. */
const OPENAI_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** @throws OpenAiRequestError naming the invalid field */
export function completionRequestOf(body: RawBody, limits: ConversationLimits): CompletionRequest {
  const { model } = body;
  if (typeof model !== 'string' || model === '') throw wrong('model', "a model's id");
  checkFields(body);
  const { definitions: clientTools, clientNameOf } = clientToolsOf(toolsOf(body));
  const maxTokens = maxTokensOf(body, 'max_completion_tokens') ?? maxTokensOf(body, 'max_tokens');
  const settings = settingsOf(body);
  const toolChoice = toolChoiceOf(body, chosenFunction, 'function');
  return {
    model,
    isStream: booleanOf(body, 'stream'),
    includesUsage: includesUsage(body),
    input: {
      messages: messagesOf(body, limits),
      clientTools,
      ...(toolChoice !== undefined && { toolChoice }),
      ...(maxTokens !== undefined && { maxTokens }),
      settings,
    },
    clientNameOf,
  };
}

function chosenFunction({ type, function: chosen }: JsonObject): unknown {
  return type === 'function' && isJsonObject(chosen) ? chosen['name'] : undefined;
}

function toolsOf({ tools }: RawBody): readonly SentTool[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw wrong('tools', 'an array');
  return tools.map((tool: unknown, index) => {
    const at = `tools[${index}]`;
    const details =
      isJsonObject(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
    if (!isJsonObject(details)) throw wrong(at, "a tool of type 'function'");
    return functionOf(details, `${at}.function`);
  });
}

/** @throws OpenAiRequestError naming the invalid field */
export function functionOf({ name, description, parameters }: JsonObject, at: string): SentTool {
  if (typeof name !== 'string' || !OPENAI_NAME.test(name)) {
    throw wrong(`${at}.name`, 'up to 64 letters, digits, underscores and hyphens');
  }
  if (parameters !== undefined && parameters !== null && !isJsonObject(parameters)) {
    throw wrong(`${at}.parameters`, 'a JSON Schema object');
  }
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters && { parameters }),
  };
}
