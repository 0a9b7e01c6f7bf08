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
  { singleSystem, assistantAfterTool, alternatingRoles }: OpenAiQuirks,
): ChatCompletionMessageParam[] {
  const single = singleSystem === true ? withSingleSystem(messages) : messages;
  const parted = assistantAfterTool === true ? withAssistantAfterTool(single) : single;
  return alternatingRoles === true ? withAlternatingRoles(parted) : parted;
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
