import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import {
  textOf,
  type ContentBlock,
  type FileBlock,
  type ImageBlock,
  type Message,
  type ReasoningBlock,
  type ResultContent,
} from '../message';
import { providerName } from '../model/stream';

/** Marks a signature as the whole of a thought that the provider keeps to itself. */
export const REDACTED = 'redacted:';

/** A history in the terms of the Messages API, and the system texts that stood in it. */
export interface AnthropicHistory {
  readonly system: readonly string[];
  readonly messages: readonly AnthropicMessage[];
}

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

/**
 * Roles alternate, results come first in the message behind their calls, and thoughts go back
 * unchanged with their signature. Thoughts without one are another provider's and stay here.
 *
 * @see https://platform.claude.com/docs/en/api/messages
 */
export function toAnthropicMessages(messages: readonly Message[]): AnthropicHistory {
  const system: string[] = [];
  const converted: AnthropicMessage[] = [];
  for (const message of messages) {
    if (message.role === 'system') {
      system.push(textOf(message));
      continue;
    }
    const content = message.content.flatMap((block) => toBlock(block));
    const last = converted.at(-1);
    if (content.length === 0) continue;
    if (last?.role === message.role) last.content.push(...content);
    else converted.push({ role: message.role, content });
  }
  const [first] = converted;
  // A history that compaction cut may begin with an answer, which the API does not take.
  if (first?.role === 'assistant') {
    converted.unshift({
      role: 'user',
      content: [{ type: 'text', text: '(earlier messages left out)' }],
    });
  }
  for (const { content } of converted) content.sort((a, b) => rank(a) - rank(b));
  return { system: system.filter((text) => text !== ''), messages: converted };
}

/** Stable sorting moves results to the front and leaves the rest in its order. */
function rank({ type }: ContentBlockParam): number {
  return type === 'tool_result' ? 0 : 1;
}

function toBlock(block: ContentBlock): ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'reasoning':
      return toThinking(block);
    case 'tool_use':
      return [
        {
          type: 'tool_use',
          id: anthropicId(block.id),
          name: providerName(block.name),
          input: block.input,
        },
      ];
    case 'tool_result':
      return [
        {
          type: 'tool_result',
          tool_use_id: anthropicId(block.tool_use_id),
          content: toResultContent(block.content),
          ...(block.is_error ? { is_error: true } : {}),
        },
      ];
    case 'image':
      return [toImage(block)];
    case 'file':
      return [toDocument(block)];
  }
}

function toThinking({ text, signature }: ReasoningBlock): ContentBlockParam[] {
  if (signature === undefined) return [];
  if (signature.startsWith(REDACTED)) {
    return [{ type: 'redacted_thinking', data: signature.slice(REDACTED.length) }];
  }
  return [{ type: 'thinking', thinking: text, signature }];
}

function toResultContent(content: ResultContent): ToolResultBlockParam['content'] {
  if (typeof content === 'string') return content;
  return content.flatMap((block): (TextBlockParam | ImageBlockParam | DocumentBlockParam)[] => {
    if (block.type === 'image') return [toImage(block)];
    if (block.type === 'file') return [toDocument(block)];
    return block.text === '' ? [] : [{ type: 'text', text: block.text }];
  });
}

type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

function toImage({ data, mediaType, url }: ImageBlock): ImageBlockParam | TextBlockParam {
  if (data !== undefined) {
    const media_type = (mediaType ?? 'image/png') as ImageMediaType;
    return { type: 'image', source: { type: 'base64', media_type, data } };
  }
  if (url !== undefined) return { type: 'image', source: { type: 'url', url } };
  return { type: 'text', text: '[image]' };
}

function toDocument(file: FileBlock): DocumentBlockParam | TextBlockParam {
  const { name, data, mediaType, url } = file;
  const title = name === undefined ? {} : { title: name };
  if (data !== undefined && mediaType === 'application/pdf') {
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data };
    return { type: 'document', source, ...title };
  }
  if (data !== undefined && mediaType?.startsWith('text/') === true) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    const source = { type: 'text' as const, media_type: 'text/plain' as const, data: text };
    return { type: 'document', source, ...title };
  }
  if (data === undefined && url !== undefined) {
    return { type: 'document', source: { type: 'url', url }, ...title };
  }
  return { type: 'text', text: `[file ${name ?? ''}${url === undefined ? '' : `: ${url}`}]` };
}

/** Ids of other providers may hold characters that this one refuses; no two become one. */
export function anthropicId(id: string): string {
  if (/^[a-zA-Z0-9_-]+$/.test(id)) return id;
  return `id_${Buffer.from(id).toString('base64url')}`;
}
