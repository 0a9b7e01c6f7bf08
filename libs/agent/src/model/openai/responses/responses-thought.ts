import type { JsonObject } from '../../../message';
import type { ModelEvent } from '../../chat-model';
import { textIn } from '../../stream';
import { objectsIn, type ResponsesItem } from './responses-event';

/** Between thoughts, and between the parts of a summary. */
const BETWEEN_PARTS = '\n\n';

/** Reads one item of reasoning: its summary, or the thoughts themselves if they come first. */
export class ResponsesThought {
  private kind: 'summary' | 'text' | undefined;
  private part = 0;
  private hasContent = false;

  /** @param shared whether any thought was passed on before */
  constructor(private readonly shared: { hasThoughts: boolean }) {}

  addSummary(delta: string, part: unknown, events: ModelEvent[]): void {
    this.kind ??= 'summary';
    if (this.kind !== 'summary') return;
    const isNext = typeof part === 'number' && part > this.part;
    if (isNext) this.part = part;
    this.say(isNext ? BETWEEN_PARTS + delta : delta, events);
  }

  addText(delta: string, events: ModelEvent[]): void {
    this.kind ??= 'text';
    if (this.kind === 'text') this.say(delta, events);
  }

  /** Takes the whole item, which is sent back unchanged. */
  finish(item: ResponsesItem, provider: string, events: ModelEvent[]): void {
    if (this.kind === undefined) {
      const summary = objectsIn(item.summary).map(({ text }) => textIn(text));
      const content = objectsIn(item.content).map(({ text }) => textIn(text));
      this.say(summary.length > 0 ? summary.join(BETWEEN_PARTS) : content.join(''), events);
    }
    events.push({
      type: 'reasoning.end',
      providerData: { [provider]: { item: unstatused(item) } },
    });
  }

  private say(delta: string, events: ModelEvent[]): void {
    if (delta === '') return;
    const isAnother = !this.hasContent && this.shared.hasThoughts;
    this.hasContent = true;
    this.shared.hasThoughts = true;
    events.push({ type: 'reasoning.delta', delta: isAnother ? BETWEEN_PARTS + delta : delta });
  }
}

/** The status of an item is not sent back. */
function unstatused(item: ResponsesItem): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'status'));
}
