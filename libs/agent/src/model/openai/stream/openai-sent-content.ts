import type { ModelEvent } from '../../chat-model';
import type { OpenAiDelta } from './openai-chunk';
import { THOUGHT_FIELDS } from './openai-thoughts';

/** Tracks the content of an answer's deltas: some servers repeat the whole message at its end. */
export class OpenAiSentContent {
  private readonly fields = new Set<string>();
  private content = '';
  private hasText = false;

  /** @param events the events that the delta was converted to */
  note(delta: OpenAiDelta, events: readonly ModelEvent[]): void {
    // Without a list of entries: this runs for every delta.
    for (const name in delta) {
      if (!this.fields.has(name) && isGiven(delta[name as keyof OpenAiDelta]))
        this.fields.add(name);
    }
    if (typeof delta.content === 'string') this.content += delta.content;
    for (const { type } of events) {
      if (type === 'text.delta') this.hasText = true;
      // A thought may also come between tags.
      if (type === 'reasoning.delta') THOUGHT_FIELDS.forEach((name) => this.fields.add(name));
    }
  }

  /** The part of a whole message that no delta contained, with its sources, each read once. */
  missingIn(message: OpenAiDelta): OpenAiDelta {
    const missing = Object.entries(message).filter(([name]) => !this.fields.has(name));
    const { annotations } = message;
    return { ...Object.fromEntries(missing), content: this.missingContent(message), annotations };
  }

  private missingContent({ content }: OpenAiDelta): OpenAiDelta['content'] {
    const { content: said } = this;
    const isLonger = said !== '' && typeof content === 'string' && content.startsWith(said);
    if (isLonger) return content.slice(said.length);
    return this.hasText ? undefined : content;
  }
}

function isGiven(value: unknown): boolean {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  return value !== null && value !== undefined && !isEmpty;
}
