import type { Message } from 'nestjs-agent';
import type { ContentBlock, JsonObject } from 'nestjs-agent/types';
import { objects, text, withoutEmpty, type SentForm } from './sent-conversation';

/** Blocks that the library cannot represent. */
const FOREIGN = new Set(['container_upload', 'tool_addition', 'search_result', 'tool_reference']);

/** Conversations as Anthropic's Messages API takes them. */
export const MESSAGES_FORM: SentForm = {
  read: ({ system, messages }) => {
    const given = objects(messages);
    const blocks = given.flatMap((message) => blocksOf(message));
    const inside = blocks.flatMap(({ content }) => objects(content));
    if ([...blocks, ...inside].some(isForeign)) return undefined;
    // The continuation of a paused answer; the adapter sends that itself.
    if (given.at(-1)?.role !== 'user') return undefined;
    const read = given.map((message): Message => {
      const content = blocksOf(message).flatMap(readBlock);
      return { role: message.role as 'user' | 'assistant', content };
    });
    return { system: textsOf(system).join('\n\n'), messages: read };
  },
  normal: ({ messages }) => {
    const turns: { role: unknown; content: unknown[] }[] = [];
    for (const message of objects(messages)) {
      const { role } = message;
      const content = blocksOf(message).flatMap(normalBlock);
      const last = turns.at(-1);
      // The API joins turns of one role.
      if (last?.role === role) last?.content.push(...content);
      else turns.push({ role, content });
    }
    return turns.map(({ role, content }) => ({
      role,
      // Results come first and calls last, which is equivalent.
      content: ['tool_result', undefined, 'tool_use'].flatMap((type) =>
        content.filter((block) => placeOf(block) === type),
      ),
    }));
  },
};

/** Nor can it represent files stored by the provider. */
function isForeign({ type, source }: JsonObject): boolean {
  const from = source as JsonObject | undefined;
  return FOREIGN.has(text(type)) || from?.type === 'file';
}

function placeOf(block: unknown): unknown {
  const { type } = block as JsonObject;
  return type === 'tool_result' || type === 'tool_use' ? type : undefined;
}

function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
}

function textsOf(content: unknown): string[] {
  return typeof content === 'string' ? [content] : objects(content).map((each) => text(each.text));
}

function readBlock(block: JsonObject): ContentBlock[] {
  const { type, id, name, input, caller, tool_use_id: resultOf } = block;
  switch (type) {
    case 'text':
      return [{ type, text: text(block.text) }];
    case 'thinking': {
      const anthropic = { signature: text(block.signature) };
      return [{ type: 'reasoning', text: text(block.thinking), providerData: { anthropic } }];
    }
    case 'redacted_thinking': {
      const anthropic = { redacted: text(block.data) };
      return [{ type: 'reasoning', text: '', providerData: { anthropic } }];
    }
    case 'image':
    case 'document':
      return [media(block)];
    case 'tool_use': {
      const data = caller ? { providerData: { anthropic: { caller } } } : {};
      return [{ type, id: text(id), name: text(name), input: input as JsonObject, ...data }];
    }
    case 'tool_result': {
      const content =
        typeof block.content === 'string'
          ? block.content
          : (objects(block.content).flatMap(readBlock) as []);
      const is_error = block.is_error === true;
      return [{ type, tool_use_id: text(resultOf), content, is_error }];
    }
    case 'compaction':
      return [{ type: 'reasoning', text: '', providerData: { anthropic: { block } } }];
    default: {
      const anthropic = { blocks: [block] };
      const own = { id: text(id ?? resultOf), name: text(name) };
      return [{ type: 'provider_tool', ...own, providerData: { anthropic } }];
    }
  }
}

function media(block: JsonObject): ContentBlock {
  const { type, data, media_type: mediaType, url } = block.source as JsonObject;
  const kind = block.type === 'image' ? 'image' : 'file';
  const isText = type === 'text';
  const inline = isText ? Buffer.from(text(data)).toString('base64') : text(data);
  const name = kind === 'file' && block.title ? { name: text(block.title) } : {};
  if (type === 'url') return { type: kind, ...name, url: text(url) };
  return { type: kind, ...name, mediaType: text(mediaType), data: inline };
}

/** The significant parts of a block: no cache marks and no empty values. */
function normalBlock(block: JsonObject): object[] {
  const rest: Readonly<Record<string, unknown>> = {
    ...block,
    cache_control: undefined,
    citations: undefined,
  };
  switch (block.type) {
    case 'text':
      return text(block.text).trim() === '' ? [] : [withoutEmpty(rest)];
    case 'document':
      return [{ type: 'document', source: block.source }];
    case 'tool_result': {
      const { content } = block;
      const inside = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      const shown = objects(inside).flatMap(normalBlock);
      return [withoutEmpty({ ...rest, content: shown, is_error: block.is_error || undefined })];
    }
    default:
      return [withoutEmpty(rest)];
  }
}
