import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import type { OpenAiQuirks } from '../openai-quirks';

/** Messages in an order of roles that the service accepts. */
export function inOrder(
  messages: ChatCompletionMessageParam[],
  { singleSystem, userSystem, singleCalls, assistantAfterTool, alternatingRoles }: OpenAiQuirks,
): ChatCompletionMessageParam[] {
  const role = userSystem === true ? 'user' : 'system';
  const isSingle = singleSystem === true || userSystem === true;
  const single = isSingle ? withSingleSystem(messages, role) : messages;
  const split = singleCalls === true ? withSingleCalls(single) : single;
  const parted = assistantAfterTool === true ? withAssistantAfterTool(split) : split;
  // The first user message follows the system's words.
  return alternatingRoles === true || userSystem === true ? withAlternatingRoles(parted) : parted;
}

function withSingleSystem(
  messages: ChatCompletionMessageParam[],
  role: 'system' | 'user',
): ChatCompletionMessageParam[] {
  const isSystem = (message: ChatCompletionMessageParam) => message.role === 'system';
  const texts = messages.filter(isSystem).map(({ content }) => content as string);
  const others = messages.filter((message) => !isSystem(message));
  return texts.length === 0 ? others : [{ role, content: texts.join('\n\n') }, ...others];
}

/** Splits parallel calls into one message each, directly followed by its result. */
function withSingleCalls(
  messages: readonly ChatCompletionMessageParam[],
): ChatCompletionMessageParam[] {
  return messages.flatMap((message, index) => {
    if (message.role === 'tool') return [];
    const after = messages.slice(index + 1);
    const end = after.findIndex(({ role }) => role !== 'tool');
    const results = end === -1 ? after : after.slice(0, end);
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    if (calls.length < 2) return [message, ...results];
    return calls.flatMap((call, place) => [
      {
        ...(place === 0 ? message : { role: 'assistant' as const, content: null }),
        tool_calls: [call],
      } as ChatCompletionMessageParam,
      ...results.filter((each) => each.role === 'tool' && each.tool_call_id === call.id),
    ]);
  });
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

/** Two messages of a user follow each other if the first one got no answer. */
function withAlternatingRoles(
  messages: readonly ChatCompletionMessageParam[],
): ChatCompletionMessageParam[] {
  const joined: ChatCompletionMessageParam[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isSame = last?.role === message.role && ['user', 'assistant'].includes(message.role);
    if (isSame) joined[joined.length - 1] = together(last as Said, message as Said);
    else joined.push(message);
  }
  return joined;
}

type Said = ChatCompletionUserMessageParam | ChatCompletionAssistantMessageParam;

function together(before: Said, after: Said): ChatCompletionMessageParam {
  const [first, second] = [before.content ?? '', after.content ?? ''];
  const isPlain = typeof first === 'string' && typeof second === 'string';
  const content = isPlain
    ? [first, second].filter((text) => text !== '').join('\n\n')
    : [...partsOf(first), ...partsOf(second)];
  return { ...before, ...after, content } as unknown as ChatCompletionMessageParam;
}

function partsOf(content: NonNullable<Said['content']>): readonly object[] {
  const text = (words: string): ChatCompletionContentPart => ({ type: 'text', text: words });
  return typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content;
}
