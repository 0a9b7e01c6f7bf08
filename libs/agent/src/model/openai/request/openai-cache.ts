import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { OpenAiQuirks } from '../openai-quirks';

type Body = ChatCompletionCreateParamsStreaming;

const MARK = { cache_control: { type: 'ephemeral' as const } };

/**
 * Marks the constant part of requests, as Claude requires it also behind OpenRouter and gateways:
 * the tools, the system's texts, the last user message and the one before. Texts become lists of
 * parts, since only parts can be marked; all of them do, so that later requests repeat earlier ones
 * exactly.
 *
 * @see https://openrouter.ai/docs/features/prompt-caching
 * @see https://docs.litellm.ai/docs/completion/prompt_caching
 */
export function withCacheMarks(body: Body, quirks: OpenAiQuirks): Body {
  const isMarked = quirks.cacheMarks ?? /claude/i.test(body.model);
  if (!isMarked) return body;
  const messages = body.messages.map(inParts);
  for (const index of markedOf(messages)) {
    const message = messages[index] as ChatCompletionMessageParam;
    messages[index] = { ...message, content: lastMarked(message.content as object[]) } as never;
  }
  const { tools } = body;
  return { ...body, messages, ...(tools && { tools: lastMarked(tools) }) };
}

/** An answer's text is left unchanged: it is never marked. */
function inParts(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  const { role, content } = message;
  if (role === 'assistant' || typeof content !== 'string') return message;
  return { ...message, content: [{ type: 'text', text: content }] } as ChatCompletionMessageParam;
}

/** The last of the system's messages; the last message, and the last one before the last answer. */
function markedOf(messages: readonly ChatCompletionMessageParam[]): ReadonlySet<number> {
  const isMarkable = ({ content }: ChatCompletionMessageParam) => {
    const last: unknown = Array.isArray(content) ? content.at(-1) : undefined;
    const text = (last as { readonly text?: string } | undefined)?.text;
    return last !== undefined && text?.trim() !== '';
  };
  const lastOf = (end: number, isSystem: boolean) =>
    messages
      .slice(0, end)
      .findLastIndex(
        (message) =>
          (message.role === 'system') === isSystem &&
          message.role !== 'assistant' &&
          isMarkable(message),
      );
  const answer = messages.findLastIndex(({ role }) => role === 'assistant');
  const all = [lastOf(messages.length, true), lastOf(messages.length, false)];
  if (answer >= 0) all.push(lastOf(answer, false));
  return new Set(all.filter((index) => index >= 0));
}

function lastMarked<T extends object>(items: readonly T[]): T[] {
  return items.map((item, index) => (index === items.length - 1 ? { ...item, ...MARK } : item));
}
