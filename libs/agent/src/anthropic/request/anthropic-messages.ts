import type {
  ContentBlockParam,
  ToolUseBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import {
  textOf,
  type ContentBlock,
  type Message,
  type ReasoningBlock,
  type TextBlock,
  type ToolResultBlock,
} from '../../message';
import { providerName } from '../../model/tool-calls';
import { wellFormed, belongsTo, textualResult } from '../../model/history';
import { mediaBlock } from './anthropic-media';
import { isWholeBlock, ownData, pairedTools } from '../stream';

/** The text of a failed call without one. */
const SAID_NOTHING = 'The tool failed and did not say why.';

/** A history as Messages API messages, and the system texts that it contained. */
export interface AnthropicHistory {
  readonly system: readonly string[];
  readonly messages: readonly AnthropicMessage[];
}

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

/** The required order of blocks within a message. */
const PLACES = ['results', 'attachments', 'text', 'calls'] as const;
type Placed = readonly [place: (typeof PLACES)[number], block: ContentBlockParam];

/**
 * Roles alternate, beginning and ending with the user. Results come first in the message after
 * their calls, and calls come last in theirs, or before its next thought. Thoughts are sent back
 * unchanged with their signature; those without one are from another provider and are left out. Results of the
 * provider's own tools are sent back unchanged.
 *
 * @see https://platform.claude.com/docs/en/api/messages
 */
export function toAnthropicMessages(messages: readonly Message[]): AnthropicHistory {
  const system: string[] = [];
  const toolsOf = pairedTools(messages);
  const turns: { role: AnthropicMessage['role']; content: Placed[] }[] = [];
  for (const message of messages) {
    const { role } = message;
    if (role === 'system') {
      system.push(textOf(message));
      continue;
    }
    const blocks = message.content.flatMap((block): Placed[] =>
      block.type === 'provider_tool'
        ? toolsOf(block, message).map((whole) => ['text', whole as never])
        : placed(block),
    );
    const content = withoutLastThoughts(inOrder(blocks));
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  const converted = turns.map(({ role, content }): AnthropicMessage => {
    return { role, content: inOrder(content).map(([, block]) => block) };
  });
  // A history that compaction cut may begin with an answer, and a client's may end with one.
  if (converted[0]?.role !== 'user') converted.unshift(standIn('(earlier messages left out)'));
  if (converted.at(-1)?.role !== 'user') converted.push(standIn('(go on)'));
  return wellFormed({ system: system.filter((text) => text.trim() !== ''), messages: converted });
}

function standIn(text: string): AnthropicMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/**
 * Within its place each block keeps its order. A thought keeps its place in the message, since it is
 * signed for it: the blocks up to the next thought are sorted among themselves.
 */
function inOrder(content: readonly Placed[]): Placed[] {
  const parts: Placed[][] = [[]];
  for (const block of content) {
    if (isThought(block)) parts.push([]);
    parts.at(-1)?.push(block);
  }
  return parts.flatMap((part) =>
    part.toSorted(([a], [b]) => PLACES.indexOf(a) - PLACES.indexOf(b)),
  );
}

function isThought([, { type }]: Placed): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** A message must not end with a thought, as a message that was cut off may. */
function withoutLastThoughts(content: readonly Placed[]): readonly Placed[] {
  return content.slice(0, content.findLastIndex((block) => !isThought(block)) + 1);
}

function placed(block: ContentBlock): Placed[] {
  switch (block.type) {
    case 'text':
      return toText(block).map((text) => ['text', text]);
    case 'reasoning':
      return toThinking(block).map((thought) => ['text', thought]);
    case 'tool_use': {
      const { id, name, input } = block;
      const caller = ownData(block.providerData)?.['caller'] as ToolUseBlockParam['caller'];
      const call = { id: anthropicId(id), name: providerName(name), input };
      return [['calls', { type: 'tool_use', ...call, ...(caller && { caller }) }]];
    }
    case 'tool_result':
      return [
        ['results', toolResult(block)],
        ...attachedBlocks(block).map((attached): Placed => ['attachments', attached]),
      ];
    case 'image':
    case 'file':
      return [['text', mediaBlock(block)]];
    case 'source':
    case 'provider_tool':
      return [];
  }
}

function toText({ text, providerData }: TextBlock): ContentBlockParam[] {
  if (text.trim() === '') return [];
  const { citations } = ownData(providerData) ?? {};
  return [{ type: 'text', text, ...(Array.isArray(citations) && { citations }) } as never];
}

function toThinking({ text, providerData }: ReasoningBlock): ContentBlockParam[] {
  const { signature, redacted, block } = ownData(providerData) ?? {};
  if (isWholeBlock(block)) return [block as never];
  if (typeof redacted === 'string') return [{ type: 'redacted_thinking', data: redacted }];
  if (typeof signature !== 'string' || signature === '') return [];
  return [{ type: 'thinking', thinking: text, signature }];
}

type Content = Exclude<ToolResultBlockParam['content'], string | undefined>;

/** A result in the form that the API accepts. */
function toolResult(result: ToolResultBlock): ToolResultBlockParam {
  const { is_error: isError, tool_use_id: id } = result;
  const content = isError ? failedContent(result) : listContent(result);
  const block = { type: 'tool_result' as const, tool_use_id: anthropicId(id), content };
  return isError ? { ...block, is_error: true } : block;
}

/** The pictures and files of a failed call; they follow after the results of the message. */
function attachedBlocks(result: ToolResultBlock): ContentBlockParam[] {
  if (!result.is_error) return [];
  const text = belongsTo(anthropicId(result.tool_use_id));
  return textualResult(result).media.flatMap((block) => [
    { type: 'text' as const, text },
    mediaBlock(block),
  ]);
}

/** A failed call's result must not be empty and may contain only text. */
function failedContent(result: ToolResultBlock): ToolResultBlockParam['content'] {
  if (typeof result.content === 'string') {
    return result.content.trim() === '' ? SAID_NOTHING : result.content;
  }
  const texts = textualResult(result).texts.filter((text) => text.trim() !== '');
  return (texts.length === 0 ? [SAID_NOTHING] : texts).map((text) => ({ type: 'text', text }));
}

function listContent({ content }: ToolResultBlock): ToolResultBlockParam['content'] {
  if (typeof content === 'string') return content;
  return content.flatMap((block): Content => {
    if (block.type !== 'text') return [mediaBlock(block)];
    return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
  });
}

/**
 * An id in the form that the API accepts. Characters that it refuses, in ids of other providers,
 * are encoded so that ids stay distinct.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 */
export function anthropicId(id: string): string {
  // An id that begins like a changed one is changed too.
  if (/^(?!id_)[a-zA-Z0-9_-]+$/.test(id)) return id;
  return `id_${Buffer.from(id, 'utf16le').toString('base64url')}`;
}
