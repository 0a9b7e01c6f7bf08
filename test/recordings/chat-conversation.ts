import type { Message } from 'nestjs-agent';
import type { ContentBlock, JsonObject } from 'nestjs-agent/types';
import { argumentsOf, objects, text, withoutEmpty, type SentForm } from './sent-conversation';

const THOUGHT_FIELDS = ['reasoning_content', 'reasoning'];
const OPAQUE_FIELDS = ['reasoning_details', 'extra_content'];

/** Conversations as Chat Completions takes them. */
export const CHAT_FORM: SentForm = {
  read: ({ messages }, provider) => {
    const read: Message[] = [];
    for (const message of objects(messages)) {
      const previous = read.at(-1);
      switch (message.role) {
        case 'system':
        case 'developer':
          read.push({ role: 'system', content: shown(message.content) });
          break;
        case 'assistant':
          read.push({ role: 'assistant', content: said(message, provider) });
          break;
        case 'tool': {
          const result = resultOf(message);
          const isNext = previous?.content.every(({ type }) => type === 'tool_result');
          if (previous?.role === 'user' && isNext) {
            read[read.length - 1] = { role: 'user', content: [...previous.content, result] };
          } else read.push({ role: 'user', content: [result] });
          break;
        }
        default:
          read.push({ role: 'user', content: shown(message.content) });
      }
    }
    return { messages: read };
  },
  normal: ({ messages }) => objects(messages).map(normalMessage),
};

function shown(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return objects(content).flatMap((part): ContentBlock[] => {
    if (part.type === 'text') return [{ type: 'text', text: text(part.text) }];
    const file = part.file as JsonObject | undefined;
    if (file) return [{ type: 'file', name: text(file.filename), url: text(file.file_data) }];
    const image = part.image_url as JsonObject | undefined;
    return image ? [{ type: 'image', url: text(image.url) }] : [];
  });
}

function said(message: JsonObject, provider: string): ContentBlock[] {
  const field = THOUGHT_FIELDS.find((name) => text(message[name]) !== '');
  const fields = Object.fromEntries(
    OPAQUE_FIELDS.filter((name) => message[name]).map((name) => [name, message[name] ?? null]),
  );
  const data = {
    ...(field !== undefined && { field }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
  const thought: ContentBlock = {
    type: 'reasoning',
    text: field === undefined ? '' : text(message[field]),
    providerData: { [provider]: data },
  };
  const parts = objects(message.content).filter(({ type }) => type === 'thinking');
  const thoughts = parts.map(({ thinking, ...part }): ContentBlock => ({
    type: 'reasoning',
    text: objects(thinking)
      .map((each) => text(each.text))
      .join(''),
    providerData: { [provider]: { part } },
  }));
  return [
    ...(Object.keys(data).length > 0 ? [thought] : []),
    ...thoughts,
    ...shown(message.content),
    ...objects(message.tool_calls).map((call): ContentBlock => {
      const called = call.function as JsonObject;
      const extra = call.extra_content;
      return {
        type: 'tool_use',
        id: text(call.id),
        name: text(called.name),
        input: argumentsOf(called.arguments),
        ...(extra && { providerData: { [provider]: { extra_content: extra } } }),
      };
    }),
  ];
}

function resultOf({ tool_call_id: id, content }: JsonObject): ContentBlock {
  const result = typeof content === 'string' ? content : (shown(content) as []);
  return { type: 'tool_result', tool_use_id: text(id), content: result, is_error: false };
}

/** The fields that a service accepts are significant, and opaque data must be unchanged. */
function normalMessage(message: JsonObject): object {
  const { role, content, tool_calls: calls, tool_call_id } = message;
  const parts = objects(content);
  const texts = parts.map((part) => text(part.text)).join('');
  const said = typeof content === 'string' ? content : texts;
  const thoughts = THOUGHT_FIELDS.map((name) => text(message[name])).find((each) => each !== '');
  return withoutEmpty({
    role: role === 'developer' ? 'system' : role,
    // For services that accept no list, texts are joined.
    text: said.replace(/\s+/g, ''),
    others: parts.filter(({ type }) => type !== 'text').map(mediaOf),
    calls: objects(calls).map(({ id, function: called, extra_content }) => {
      const { name, arguments: input } = called as JsonObject;
      // A name that begins with no letter is sent with one, and a hash.
      const own = text(name).replace(/^tool_(.*)_[0-9a-f]{10}$/, '$1');
      return { id, name: own, input: argumentsOf(input), extra_content };
    }),
    tool_call_id,
    // The details hold them too.
    thoughts: message.reasoning_details ? undefined : thoughts,
    ...Object.fromEntries(OPAQUE_FIELDS.map((name) => [name, message[name]])),
  });
}

function mediaOf(part: JsonObject): unknown {
  const { image_url: image, file } = part as Readonly<Record<string, JsonObject | undefined>>;
  return image?.url ?? file?.file_data ?? part;
}
