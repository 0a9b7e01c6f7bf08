import type { ModelEvent } from '../chat-model';
import { textIn } from './provider-event';

/** The web pages that an answer cites, each once and with its first title. */
export class SourceList {
  private readonly titles = new Map<string, string>();

  add(url: unknown, title: unknown): void {
    if (typeof url !== 'string' || !isWebAddress(url)) return;
    this.titles.set(url, this.titles.get(url) || textIn(title));
  }

  events(): readonly ModelEvent[] {
    return [...this.titles].map(([url, title]) => ({
      type: 'source',
      url,
      ...(title !== '' && { title }),
    }));
  }
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
