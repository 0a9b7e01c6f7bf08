import type { ChatModel } from '../chat-model';
import { ASKS_OTHERS } from '../model-observer';

/**
 * Gives a model without native tool calls a text protocol for them: it thinks, acts, observes,
 * answers or asks in tags. Its text is parsed tolerantly, including the lines of the ReAct paper
 * and of common frameworks, and its markup never reaches a client.
 *
 * @param model a model that answers in text
 * @see https://arxiv.org/abs/2210.03629
 * @throws ModelError while streaming, `model_unavailable` if the model breaks the format after two
 *   hints
 * @example
 * import { ollama } from 'nestjs-agent/models';
 *
 * AgentModule.forRoot({ model: react(ollama({ model: 'phi4' })) });
 */
export function react(model: ChatModel): ChatModel {
  const { streamReact } = require('./react.model') as typeof import('./react.model');
  const reacting: ChatModel & { readonly [ASKS_OTHERS]: true } = {
    name: model.name,
    ...(model.provider !== undefined && { provider: model.provider }),
    capabilities: { ...model.capabilities, tools: true },
    [ASKS_OTHERS]: true,
    stream: (request, { signal, observer }) => streamReact(model, request, signal, observer),
  };
  return reacting;
}
