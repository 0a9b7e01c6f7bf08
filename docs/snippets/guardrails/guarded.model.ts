import { defineModel, textOf, type ChatModel, type Message, type ModelEvent } from 'nestjs-agent';

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g;

// #region mask
/** A model that never sees account numbers. */
export function masked(model: ChatModel): ChatModel {
  return defineModel({
    name: model.name,
    capabilities: model.capabilities,
    stream: (request, options) =>
      model.stream({ ...request, messages: request.messages.map(withoutAccounts) }, options),
  });
}

function withoutAccounts(message: Message): Message {
  const content = message.content.map((block) => {
    if (block.type === 'text') return { ...block, text: block.text.replace(IBAN, '[account]') };
    if (block.type !== 'tool_result' || typeof block.content !== 'string') return block;
    return { ...block, content: block.content.replace(IBAN, '[account]') };
  });
  return { ...message, content };
}
// #endregion mask

// #region moderate
type IsAllowed = (text: string) => Promise<boolean>;

/** Refuses a question before the model is asked, and an answer before anybody reads it. */
export function moderated(model: ChatModel, isAllowed: IsAllowed): ChatModel {
  return defineModel({
    name: model.name,
    capabilities: model.capabilities,
    stream: async function* (request, options) {
      const question = request.messages.findLast(({ role }) => role === 'user');
      const answer: ModelEvent[] = [];
      if (question && (await isAllowed(textOf(question)))) {
        for await (const event of model.stream(request, options)) answer.push(event);
        const said = answer.map((event) => (event.type === 'text.delta' ? event.delta : ''));
        if (await isAllowed(said.join(''))) return yield* answer;
      }
      yield 'I cannot help with that.';
      yield { type: 'finish', reason: 'refusal' };
    },
  });
}
// #endregion moderate
