import { Logger } from '@nestjs/common';
import { warnOnce } from './internal';
import { offline, openai, type ChatModel } from './model';

/**
 * The model of an application that configures none: OpenAI's with a key, else the offline model
 * under a warning. It is logged at boot where the agent has endpoints; without them, as with MCP
 * alone, nothing may ever ask a model, so only with the first call.
 *
 * @param isServed whether the application's own agent has endpoints
 * @param application where the warning is logged once
 */
export function defaultModel(isServed: boolean, application: object): ChatModel {
  if (process.env['OPENAI_API_KEY']) return openai();
  const model = offline();
  if (isServed) {
    warn(application);
    return model;
  }
  return {
    name: model.name,
    ...(model.provider !== undefined && { provider: model.provider }),
    capabilities: model.capabilities,
    stream: (request, options) => {
      warn(application);
      return model.stream(request, options);
    },
  };
}

function warn(application: object): void {
  warnOnce(
    application,
    new Logger('AgentModule'),
    'No model is configured: the offline model answers, a deterministic stand-in, not a language model. Set "model", or OPENAI_API_KEY.',
  );
}
