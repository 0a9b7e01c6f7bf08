import type { Message } from 'nestjs-agent';
import type { ContentBlock, JsonObject } from 'nestjs-agent/types';
import { argumentsOf, objects, text, withoutEmpty, type SentForm } from './sent-conversation';

/** Conversations as the Responses API takes them. */
export const RESPONSES_FORM: SentForm = {
  read: (body, provider) => {
    const read: { role: Message['role']; content: ContentBlock[] }[] = [];
    const add = (role: Message['role'], isJoined: boolean, ...blocks: ContentBlock[]) => {
      const last = read.at(-1);
      if (isJoined && last?.role === role) last.content.push(...blocks);
      else read.push({ role, content: blocks });
    };
    // Items that began in another request are unknown here.
    if (body.previous_response_id || body.conversation || body.prompt) return undefined;
    for (const item of objects(body.input)) {
      const type = text(item.type) || 'message';
      const data = { [provider]: { item } };
      if (type === 'function_call') add('assistant', true, callOf(item, provider));
      else if (type === 'function_call_output') add('user', isResults(read.at(-1)), resultOf(item));
      else if (type !== 'message') {
        add('assistant', true, { type: 'reasoning', text: '', providerData: data });
      } else if (item.role === 'assistant') {
        const { phase } = item;
        const meta: ContentBlock = {
          type: 'reasoning',
          text: '',
          providerData: { [provider]: { phase: phase ?? null } },
        };
        add('assistant', true, ...(phase ? [meta] : []), ...shown(item.content));
      } else if (item.role === 'user') add('user', false, ...shown(item.content));
      else add('system', false, ...shown(item.content));
    }
    return { system: text(body.instructions), messages: read };
  },
  normal: ({ instructions, input }) => [
    ...(text(instructions) === '' ? [] : [{ role: 'system', text: instructions }]),
    // An empty assistant message carries no information.
    ...objects(input)
      .map(normalItem)
      .filter((item) => Object.keys(item).join() !== 'role'),
  ],
};

function isResults(message: { role: string; content: ContentBlock[] } | undefined): boolean {
  return message?.content.every(({ type }) => type === 'tool_result') === true;
}

function shown(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return objects(content).flatMap((part): ContentBlock[] => {
    if (part.type === 'input_image') return [{ type: 'image', url: text(part.image_url) }];
    if (part.type === 'input_file') {
      return [
        { type: 'file', name: text(part.filename), url: text(part.file_url ?? part.file_data) },
      ];
    }
    return [{ type: 'text', text: text(part.text) }];
  });
}

function callOf(item: JsonObject, provider: string): ContentBlock {
  const { namespace } = item;
  return {
    type: 'tool_use',
    id: text(item.call_id),
    name: text(item.name),
    input: argumentsOf(item.arguments),
    ...(namespace && { providerData: { [provider]: { call: { namespace } } } }),
  };
}

function resultOf({ call_id: id, output }: JsonObject): ContentBlock {
  const content = typeof output === 'string' ? output : (shown(output) as []);
  return { type: 'tool_result', tool_use_id: text(id), content, is_error: false };
}

/** Without storage, ids of items carry no information; but reasoning items go back unchanged. */
function normalItem(item: JsonObject): object {
  switch (item.type ?? 'message') {
    case 'message': {
      const parts = objects(item.content);
      const texts = parts.map((part) => text(part.text)).join('');
      return withoutEmpty({
        role: item.role === 'developer' ? 'system' : item.role,
        text: typeof item.content === 'string' ? item.content : texts,
        others: parts.flatMap((part) => part.image_url ?? part.file_url ?? part.file_data ?? []),
        phase: item.phase,
      });
    }
    case 'function_call': {
      const { call_id, name, namespace, arguments: input } = item;
      return withoutEmpty({ call_id, name, namespace, input: argumentsOf(input) });
    }
    case 'function_call_output': {
      const parts = objects(item.output).map(
        (part) => text(part.text) || part.image_url || part.file_url || part.file_data,
      );
      return withoutEmpty({
        call_id: item.call_id,
        output: item.output ? parts : '',
        text: text(item.output),
      });
    }
    default:
      return withoutEmpty(item);
  }
}
