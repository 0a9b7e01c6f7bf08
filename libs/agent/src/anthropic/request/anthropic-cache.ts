import type { CacheControlEphemeral } from '@anthropic-ai/sdk/resources/messages';
import type { AnthropicMessage } from './anthropic-messages';

/** How long the provider keeps a prefix; an hour costs more to write. */
export type CacheTtl = '5m' | '1h';

/** The mark at the end of a prefix that the provider is to keep; nothing without a cache. */
export interface CacheMark {
  readonly cache_control?: CacheControlEphemeral;
}

/** @see https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
export function cacheMark(ttl: CacheTtl | undefined): CacheMark {
  if (ttl === undefined) return {};
  return { cache_control: { type: 'ephemeral', ...(ttl === '1h' && { ttl }) } };
}

/** The last one marked, which stands for all before it. */
export function lastMarked<T extends object>(blocks: readonly T[], mark: CacheMark): T[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, ...mark } : block,
  );
}

/** A request may have four marks; tools and system take two. */
const MARKED_MESSAGES = 2;

/**
 * The user's last messages marked: the last, so that the next call finds everything up to it, and the
 * one before, where the call before this one left off, however much was said in between.
 */
export function withCacheMarks(
  messages: readonly AnthropicMessage[],
  mark: CacheMark,
): AnthropicMessage[] {
  const marked = messages
    .flatMap(({ role }, index) => (role === 'user' ? [index] : []))
    .slice(-MARKED_MESSAGES);
  return messages.map((message, index) =>
    marked.includes(index) ? { ...message, content: lastMarked(message.content, mark) } : message,
  );
}
