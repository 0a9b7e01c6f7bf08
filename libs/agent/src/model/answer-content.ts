import type { ContentBlock } from '../message';
import type { ModelEvent } from './chat-model';

/** The text and the calls of an answer, without data of its provider. */
export class AnswerContent {
  private readonly said: ContentBlock[] = [];
  /** The last block, as long as its text goes on. */
  private open: { readonly type: 'text' | 'reasoning'; text: string } | undefined;

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
        this.open = undefined;
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
    if (this.open?.type === type) {
      this.open.text += text;
      return;
    }
    this.open = { type, text };
    this.said.push(this.open);
  }
}
