import { isJsonObject, type JsonObject, type JsonValue } from '../message';
import type { ModelEvent } from '../model';
import { textIn, type WholeBlock } from './anthropic-block';

/**
 * The pages that an answer cites, each once. Citations of documents have no address.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/citations
 */
export function sourcesIn(blocks: readonly WholeBlock[]): readonly ModelEvent[] {
  const titles = new Map<string, string>();
  for (const citation of blocks.flatMap(citationsOf)) {
    // Results of one's own search have their address in `source`.
    const url = [citation['url'], citation['source']].map(textIn).find(isWebAddress);
    if (url !== undefined) titles.set(url, titles.get(url) || textIn(citation['title']));
  }
  return [...titles].map(([url, title]) => ({
    type: 'source',
    url,
    ...(title !== '' && { title }),
  }));
}

export function citationsOf({ citations }: WholeBlock): readonly JsonObject[] {
  return Array.isArray(citations) ? (citations as readonly JsonValue[]).filter(isJsonObject) : [];
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
