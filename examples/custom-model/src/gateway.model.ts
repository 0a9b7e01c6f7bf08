import { defineModel, ModelError, textOf, type ChatModel } from 'nestjs-agent';

// #region model
/** A model behind an address of our own, which takes a prompt and streams plain text. */
export function gateway(url: string): ChatModel {
  return defineModel({
    name: 'gateway',
    capabilities: { tools: false },
    stream: async function* ({ system = '', messages }, { signal }) {
      const said = messages.map((message) => `${message.role}: ${textOf(message)}`);
      const response = await fetch(url, {
        method: 'POST',
        body: [system, ...said].join('\n\n'),
        signal,
      });
      if (!response.ok || response.body === null) {
        throw new ModelError('model_unavailable', `The gateway answered ${response.status}.`);
      }
      yield* response.body.pipeThrough(new TextDecoderStream());
    },
  });
}
// #endregion model
