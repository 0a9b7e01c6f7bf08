import type { ChatModel } from 'nestjs-agent';
import type { Metrics } from './metrics';

// #region measured
/** The same model, whose tokens are counted. */
export function measured(model: ChatModel, metrics: Metrics): ChatModel {
  const { name, capabilities } = model;
  return {
    name,
    capabilities,
    async *stream(request, options) {
      for await (const event of model.stream(request, options)) {
        if (event.type === 'finish' && event.usage) {
          const { inputTokens, outputTokens } = event.usage;
          metrics.add('agent_tokens_total', { model: name, kind: 'input' }, inputTokens);
          metrics.add('agent_tokens_total', { model: name, kind: 'output' }, outputTokens);
        }
        yield event;
      }
    },
  };
}
// #endregion measured
