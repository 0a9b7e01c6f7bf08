import type { ContentBlock } from '../message';
import type { ModelEvent } from './chat-model';

/** The text and the calls of an answer, without data of its provider. */
export class AnswerContent {
  private readonly said: ContentBlock[] = [];

  get blocks(): readonly ContentBlock[] {
    return this.said;
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.addText('text', event.delta);
        break;
      case 'reasoning.delta':
        this.addText('reasoning', event.delta);
        break;
      case 'tool_use':
        this.said.push({ type: 'tool_use', id: event.id, name: event.name, input: event.input });
        break;
      case 'text.end':
      case 'reasoning.end':
      case 'tool_use.delta':
      case 'source':
      case 'provider_tool':
      case 'finish':
        break;
    }
  }

  private addText(type: 'text' | 'reasoning', text: string): void {
    const last = this.said.at(-1);
    if (last?.type === type) this.said[this.said.length - 1] = { type, text: last.text + text };
    else this.said.push({ type, text });
  }
}
