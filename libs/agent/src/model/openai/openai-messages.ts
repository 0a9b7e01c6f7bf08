import { createHash } from 'node:crypto';
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions';
import {
  resultText,
  textOf,
  type ContentBlock,
  type FileBlock,
  type ImageBlock,
  type Message,
  type ToolResultBlock,
} from '../../message';
import { providerName } from '../stream';
import type { OpenAiQuirks } from './openai-quirks';

/**
 * A history in Chat Completions' terms: tool results become messages of role `tool` right behind
 * the calls they answer. What these cannot hold (pictures, files) follows in a `user` message.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function toOpenAiMessages(
  system: string | undefined,
  messages: readonly Message[],
  quirks: OpenAiQuirks = {},
): ChatCompletionMessageParam[] {
  const converted: ChatCompletionMessageParam[] = [];
  if (system !== undefined && system !== '') converted.push({ role: 'system', content: system });
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    switch (message.role) {
      case 'system':
        converted.push({ role: 'system', content: textOf(message) });
        break;
      case 'assistant':
        converted.push(...assistantMessage(message, quirks));
        break;
      case 'user': {
        // Results of one step may stand in several messages; they must come before anything else.
        const blocks = [...message.content];
        while (messages[index + 1]?.role === 'user' && hasResults(messages[index + 1])) {
          blocks.push(...(messages[++index]?.content ?? []));
        }
        converted.push(...userMessages(blocks, quirks));
        break;
      }
    }
  }
  const single = quirks.singleSystem === true ? withSingleSystem(converted) : converted;
  return quirks.assistantAfterTool === true ? withAssistantAfterTool(single) : single;
}

function hasResults(message: Message | undefined): boolean {
  return message?.content.some((block) => block.type === 'tool_result') ?? false;
}

function assistantMessage(message: Message, quirks: OpenAiQuirks): ChatCompletionMessageParam[] {
  const toolCalls: ChatCompletionMessageFunctionToolCall[] = [];
  let text = '';
  let reasoning = '';
  for (const block of message.content) {
    if (block.type === 'text') text += block.text;
    else if (block.type === 'reasoning') reasoning += block.text;
    else if (block.type === 'tool_use') {
      toolCalls.push({
        id: callId(block.id, quirks),
        type: 'function',
        function: { name: providerName(block.name), arguments: JSON.stringify(block.input) },
      });
    }
  }
  // Services refuse an assistant message that says nothing and calls nothing.
  if (text === '' && toolCalls.length === 0) return [];
  const back = reasoning === '' ? undefined : quirks.reasoningBack;
  if (back === 'think_tags') text = `<think>${reasoning}</think>\n${text}`;
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
      ...(back === undefined || back === 'think_tags' ? {} : { [back]: reasoning }),
    },
  ];
}

function userMessages(
  blocks: readonly ContentBlock[],
  quirks: OpenAiQuirks,
): ChatCompletionMessageParam[] {
  const results: ChatCompletionMessageParam[] = [];
  const parts: ChatCompletionContentPart[] = [];
  for (const block of blocks) {
    if (block.type !== 'tool_result') continue;
    results.push({
      role: 'tool',
      tool_call_id: callId(block.tool_use_id, quirks),
      content: toolResultText(block),
    });
    const attachments = typeof block.content === 'string' ? [] : block.content;
    for (const attachment of attachments) {
      if (attachment.type === 'text') continue;
      parts.push({ type: 'text', text: `Belongs to the result of call ${block.tool_use_id}:` });
      parts.push(mediaPart(attachment, quirks));
    }
  }
  for (const block of blocks) {
    if (block.type === 'text') parts.push({ type: 'text', text: block.text });
    else if (block.type === 'image' || block.type === 'file') parts.push(mediaPart(block, quirks));
  }
  if (parts.length === 0) return results;
  const isPlain = parts.every((part) => part.type === 'text');
  // Plain text is the form that every service takes.
  const content = isPlain ? parts.map((part) => part.text).join('\n') : parts;
  return [...results, { role: 'user', content }];
}

/** The protocol has no field for a failed call, so the text says it. */
function toolResultText(block: ToolResultBlock): string {
  const text = resultText(block.content);
  return block.is_error && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

function mediaPart(block: ImageBlock | FileBlock, quirks: OpenAiQuirks): ChatCompletionContentPart {
  const dataUrl =
    block.data === undefined
      ? undefined
      : `data:${block.mediaType ?? 'application/octet-stream'};base64,${block.data}`;
  if (block.type === 'image') {
    const url = dataUrl ?? block.url;
    if (url === undefined || quirks.images === false) return notShown('image', block.url);
    return { type: 'image_url', image_url: { url } };
  }
  if (block.data !== undefined && block.mediaType?.startsWith('text/') === true) {
    const text = Buffer.from(block.data, 'base64').toString('utf8');
    return { type: 'text', text: `File ${block.name ?? 'without a name'}:\n${text}` };
  }
  if (dataUrl === undefined || quirks.files === false) {
    return notShown(`file ${block.name ?? ''}`.trim(), block.url);
  }
  return { type: 'file', file: { filename: block.name ?? 'file', file_data: dataUrl } };
}

function notShown(what: string, url: string | undefined): ChatCompletionContentPart {
  return { type: 'text', text: `[${what}${url === undefined ? '' : `: ${url}`}]` };
}

/** A service's own form of our id; the same id always gives the same. */
function callId(id: string, quirks: OpenAiQuirks): string {
  if (quirks.shortCallIds !== true || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}

function withSingleSystem(messages: ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  const isSystem = (message: ChatCompletionMessageParam) => message.role === 'system';
  const texts = messages.filter(isSystem).map(({ content }) => content as string);
  const others = messages.filter((message) => !isSystem(message));
  return texts.length === 0 ? others : [{ role: 'system', content: texts.join('\n\n') }, ...others];
}

function withAssistantAfterTool(
  messages: readonly ChatCompletionMessageParam[],
): ChatCompletionMessageParam[] {
  return messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool'
      ? [{ role: 'assistant' as const, content: 'I have the results.' }, message]
      : [message],
  );
}
