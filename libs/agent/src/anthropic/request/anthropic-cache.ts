import type { CacheControlEphemeral } from '@anthropic-ai/sdk/resources/messages';
import type { AnthropicMessage } from './anthropic-messages';

/** How long the provider keeps a prefix; an hour costs more to write. */
export type CacheTtl = '5m' | '1h';

/** The mark at the end of a prefix to cache; empty without a cache. */
interface CacheMark {
  readonly cache_control?: CacheControlEphemeral;
}

/** @see https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
export function cacheMark(ttl: CacheTtl | undefined): CacheMark {
  if (ttl === undefined) return {};
  return { cache_control: { type: 'ephemeral', ...(ttl === '1h' && { ttl }) } };
}

/** The blocks with the last one marked; a mark covers all blocks before it. */
export function lastMarked<T extends object>(blocks: readonly T[], mark: CacheMark): T[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, ...mark } : block,
  );
}

/** A request may have four marks; tools and system take two. */
const MARKED_MESSAGES = 2;

/**
 * Marks the user's last two messages: the last one, so that the next call finds everything up to it
 * in the cache, and the one before, where the previous call ended, however long the part in
 * between.
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
