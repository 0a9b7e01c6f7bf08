import type { ContentBlock, ProviderData } from '../message';
import type { ModelEvent } from './chat-model';

/** A block whose text may continue. */
interface OpenBlock {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerData?: ProviderData;
}

/** Collects the content blocks of an answer. */
export class AnswerContent {
  private readonly blocks: ContentBlock[] = [];
  private open: OpenBlock | undefined;

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.openAs('text').text += event.delta;
        break;
      case 'reasoning.delta':
        this.openAs('reasoning').text += event.delta;
        break;
      case 'text.end':
        this.end('text', event.providerData);
        break;
      case 'reasoning.end':
        this.end('reasoning', event.providerData);
        break;
      case 'tool_use':
      case 'source':
      case 'provider_tool':
        this.close();
        this.blocks.push(event);
        break;
      case 'tool_use.delta':
      case 'finish':
        break;
    }
  }

  all(): readonly ContentBlock[] {
    this.close();
    return this.blocks;
  }

  private end(type: OpenBlock['type'], providerData: ProviderData | undefined): void {
    if (providerData) this.openAs(type).providerData = providerData;
    this.close();
  }

  private openAs(type: OpenBlock['type']): OpenBlock {
    if (this.open?.type !== type) {
      this.close();
      this.open = { type, text: '' };
    }
    return this.open;
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    if (open === undefined || (open.text === '' && open.providerData === undefined)) return;
    this.blocks.push(open);
  }
}
