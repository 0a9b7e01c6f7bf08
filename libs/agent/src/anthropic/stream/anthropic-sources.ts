import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import type { ModelEvent } from '../../model';
import { isWebAddress, SourceList, textIn } from '../../model/stream';
import type { WholeBlock } from './anthropic-block';

/**
 * The pages that an answer cites, each once. Citations of documents have no address.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/citations
 */
export function sourcesIn(blocks: readonly WholeBlock[]): readonly ModelEvent[] {
  const sources = new SourceList();
  for (const citation of blocks.flatMap(citationsOf)) {
    // Results of the application's own search have their address in `source`.
    const url = [citation['url'], citation['source']].map(textIn).find(isWebAddress);
    sources.add(url, citation['title']);
  }
  return sources.events();
}

export function citationsOf({ citations }: WholeBlock): readonly JsonObject[] {
  return Array.isArray(citations) ? (citations as readonly JsonValue[]).filter(isJsonObject) : [];
}
