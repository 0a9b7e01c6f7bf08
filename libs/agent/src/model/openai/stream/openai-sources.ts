import { isJsonObject } from '../../../message';
import type { ModelEvent } from '../../chat-model';
import type { OpenAiChunk, OpenAiDelta } from './openai-chunk';

/** Gathers the pages that an answer names as its sources, each once. */
export class OpenAiSources {
  private readonly titles = new Map<string, string | undefined>();

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
    return [...this.titles].map(([url, title]) => ({
      type: 'source',
      url,
      ...(title !== undefined && { title }),
    }));
  }

  private add(page: unknown): void {
    if (!isJsonObject(page)) return;
    const { url, title } = page;
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return;
    const known = this.titles.get(url);
    this.titles.set(url, known ?? (typeof title === 'string' && title !== '' ? title : undefined));
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
