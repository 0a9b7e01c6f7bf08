import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionContentPartText,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import {
  isJsonObject,
  type ContentBlock,
  type JsonObject,
  type Message,
  type ReasoningBlock,
} from '../../../message';
import { wellFormed } from '../../history';
import { providerName } from '../../tool-calls';
import { openAiCallId } from './openai-call-id';
import { mediaPart, textContent } from './openai-content';
import type { OpenAiQuirks } from '../openai-quirks';
import { textExtra } from '../openai-text-extra';
import { inOrder } from './openai-order';
import { attachedParts, toolMessage } from './openai-tool-result';
import { THOUGHT_FIELDS, type OpenAiThoughtData } from '../stream';

/**
 * Google's own stand-in for the signature of a call that its model did not make.
 *
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures#faqs
 */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };

/**
 * A history as Chat Completions messages: tool results become messages of role `tool` directly
 * after the calls that they answer. Pictures and files, which these cannot contain, follow in a
 * `user` message.
 *
 * @param provider the service; data of other services is left out, see `ProviderData`
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function toOpenAiMessages(
  system: string | undefined,
  messages: readonly Message[],
  quirks: OpenAiQuirks = {},
  provider = '',
): ChatCompletionMessageParam[] {
  const converted: ChatCompletionMessageParam[] = [];
  if (system !== undefined && system !== '') converted.push({ role: 'system', content: system });
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    switch (message.role) {
      case 'system':
        converted.push(...systemMessage(message, quirks));
        break;
      case 'assistant':
        converted.push(...assistantMessage(message, quirks, provider));
        break;
      case 'user': {
        // Results of one step may be spread over several messages; they must come before anything else.
        const end = lastWithResults(messages, index);
        const blocks = messages.slice(index, end + 1).flatMap(({ content }) => content);
        converted.push(...userMessages(blocks, quirks));
        index = end;
        break;
      }
    }
  }
  return wellFormed(inOrder(converted, quirks));
}

/** The last of the user's messages from here on that contains results; this one if none does. */
function lastWithResults(messages: readonly Message[], from: number): number {
  let last = from;
  for (let index = from; messages[index]?.role === 'user'; index++) {
    if (messages[index]?.content.some(({ type }) => type === 'tool_result')) last = index;
  }
  return last;
}

function systemMessage(message: Message, quirks: OpenAiQuirks): ChatCompletionMessageParam[] {
  const isJoined = quirks.singleSystem === true || quirks.userSystem === true;
  const content = textContent(textsOf(message), '', isJoined ? {} : quirks);
  return content === undefined ? [] : [{ role: 'system', content }];
}

function assistantMessage(
  message: Message,
  quirks: OpenAiQuirks,
  provider: string,
): ChatCompletionMessageParam[] {
  const uses = message.content.filter((block) => block.type === 'tool_use');
  const isSigned = uses.some(({ providerData }) => isJsonObject(providerData?.[provider]));
  const calls = uses.map((block, index): ChatCompletionMessageFunctionToolCall => {
    // Services parse this text as well, so it must be well-formed itself.
    const args = JSON.stringify(wellFormed(block.input));
    const call = { name: providerName(block.name), arguments: args };
    const own = block.providerData?.[provider];
    const isUnsigned = quirks.signedCalls === true && !isSigned && index === 0;
    const extra = isJsonObject(own) ? { extra_content: own.extra_content } : {};
    const stand = isUnsigned ? { extra_content: UNSIGNED } : extra;
    return { id: openAiCallId(block.id, quirks), type: 'function', function: call, ...stand };
  });
  const texts = textsOf(message).filter((text) => text !== '');
  // Services refuse an assistant message without text and calls.
  if (texts.length === 0 && calls.length === 0) return [];
  const thoughts = message.content.filter((block) => block.type === 'reasoning');
  return [
    {
      role: 'assistant',
      content: saidContent(message, thoughts, quirks, provider),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...thoughtFields(thoughts, provider, quirks),
      ...textExtra(message, provider),
    },
  ];
}

/** The text, with the thoughts for services that keep them in it. */
function saidContent(
  message: Message,
  thoughts: readonly ReasoningBlock[],
  quirks: OpenAiQuirks,
  provider: string,
): ChatCompletionAssistantMessageParam['content'] {
  const texts = textsOf(message).filter((text) => text !== '');
  const thought = thoughts.map(({ text }) => text).join('');
  if (quirks.reasoningBack === 'think_tags' && thought !== '') {
    return `<think>${thought}</think>\n${texts.join('')}`;
  }
  if (thoughts.some((each) => thoughtPart(each, provider) !== undefined)) {
    const parts = message.content.flatMap((block): JsonObject[] => {
      if (block.type === 'reasoning') return [thoughtPart(block, provider) ?? []].flat();
      return block.type === 'text' && block.text !== '' ? [{ type: 'text', text: block.text }] : [];
    });
    // Mistral's parts are not OpenAI's.
    return parts as unknown as ChatCompletionContentPartText[];
  }
  return textContent(texts, '', quirks) ?? null;
}

function userMessages(
  blocks: readonly ContentBlock[],
  quirks: OpenAiQuirks,
): ChatCompletionMessageParam[] {
  const results = blocks.filter((block) => block.type === 'tool_result');
  const parts = [
    ...results.flatMap((result) => attachedParts(result, quirks)),
    ...blocks.flatMap((block) => ownParts(block, quirks)),
  ];
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const content = texts.length === parts.length ? textContent(texts, '\n', quirks) : parts;
  return [
    ...results.map((result) => toolMessage(result, quirks)),
    ...(content === undefined ? [] : [{ role: 'user' as const, content }]),
  ];
}

function ownParts(block: ContentBlock, quirks: OpenAiQuirks): ChatCompletionContentPart[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  return block.type === 'image' || block.type === 'file' ? [mediaPart(block, quirks)] : [];
}

function textsOf({ content }: Message): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

/** The thoughts to send back to a service, beside an assistant message's text and calls. */
function thoughtFields(
  thoughts: readonly ReasoningBlock[],
  provider: string,
  quirks: OpenAiQuirks,
): JsonObject {
  const data = thoughts.map((thought) => dataOf(thought, provider));
  const fields = Object.assign({}, ...data.map((each) => each?.fields)) as JsonObject;
  // The details contain the text as well.
  if ('reasoning_details' in fields) return fields;
  const text = thoughts.map((thought) => thought.text).join('');
  const written = data.find((each) => each?.field !== undefined)?.field;
  const wanted = quirks.reasoningBack === 'think_tags' ? undefined : quirks.reasoningBack;
  const field = wanted ?? THOUGHT_FIELDS.find((name) => name === written);
  // DeepSeek and Kimi demand the field in every answer, also in one that began without a thought.
  if (wanted === 'reasoning_content') return { ...fields, [wanted]: text };
  if (field === undefined || text === '') return fields;
  const own = thoughts.filter((thought) => dataOf(thought, provider)?.field !== undefined);
  const back = wanted === undefined ? own.map((thought) => thought.text).join('') : text;
  return { ...fields, [field]: back };
}

/** A thought as a part of the content, if its service writes it that way. */
function thoughtPart(thought: ReasoningBlock, provider: string): JsonObject | undefined {
  const part = dataOf(thought, provider)?.part;
  return part && { ...part, thinking: [{ type: 'text', text: thought.text }] };
}

function dataOf({ providerData }: ReasoningBlock, provider: string): OpenAiThoughtData | undefined {
  const data = providerData?.[provider];
  return isJsonObject(data) ? data : undefined;
}
