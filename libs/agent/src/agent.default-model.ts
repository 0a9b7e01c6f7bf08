import { Logger } from '@nestjs/common';
import { offline, openai, type ChatModel } from './model';

/**
 * The model of an application that configures none: OpenAI's with a key, else the offline model
 * under a warning. It is logged at boot where the agent has endpoints; without them, as with MCP
 * alone, nothing may ever ask a model, so only with the first call.
 *
 * @param isServed whether the application's own agent has endpoints
 */
export function defaultModel(isServed: boolean): ChatModel {
  if (process.env['OPENAI_API_KEY']) return openai();
  const model = offline();
  if (!isServed) return warned(model);
  warn();
  return model;
}

function warned(model: ChatModel): ChatModel {
  let hasWarned = false;
  return {
    name: model.name,
    ...(model.provider !== undefined && { provider: model.provider }),
    capabilities: model.capabilities,
    stream: (request, options) => {
      if (!hasWarned) warn();
      hasWarned = true;
      return model.stream(request, options);
    },
  };
}

function warn(): void {
  new Logger('AgentModule').warn(
    'No model is configured: the offline model answers, a deterministic stand-in that is no language model. Set "model", or OPENAI_API_KEY.',
  );
}
