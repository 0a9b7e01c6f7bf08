import { isJsonObject } from '../../../message';
import type { ModelEvent } from '../../chat-model';
import { SourceList } from '../../stream';
import type { OpenAiChunk, OpenAiDelta } from './openai-chunk';

/** Collects the pages that an answer cites as sources, each once. */
export class OpenAiSources {
  private readonly sources = new SourceList();

  read({ search_results: results, citations }: OpenAiChunk): void {
    if (results) listOf(results).forEach((result) => this.add(result));
    if (citations) listOf(citations).forEach((url) => this.add({ url }));
  }

  readDelta({ annotations }: OpenAiDelta): void {
    if (!annotations) return;
    for (const note of listOf(annotations)) {
      if (isJsonObject(note)) this.add(note.url_citation ?? note);
    }
  }

  finish(): readonly ModelEvent[] {
    return this.sources.events();
  }

  private add(page: unknown): void {
    if (isJsonObject(page)) this.sources.add(page.url, page.title);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
