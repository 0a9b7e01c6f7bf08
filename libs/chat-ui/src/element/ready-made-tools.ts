import type { BrowserToolName } from '../../public/agent-chat.mjs';
import { registerReadyMade, type ToolBox } from '../browser-tools';

/** The browser tools that come with the chat, as far as they are enabled. */
export class ReadyMadeTools {
  private readonly enabled = new Map<BrowserToolName, () => void>();

  constructor(
    private readonly box: ToolBox,
    private readonly effects: Parameters<typeof registerReadyMade>[2],
  ) {}

  /** @throws TypeError for a name that none has */
  enable(names: readonly BrowserToolName[]): void {
    for (const name of names) {
      if (this.enabled.has(name)) continue;
      this.enabled.set(name, registerReadyMade(this.box, name, this.effects));
    }
  }

  disable(names: readonly BrowserToolName[]): void {
    for (const name of names) {
      this.enabled.get(name)?.();
      this.enabled.delete(name);
    }
  }

  /** Enables exactly those that are named, parted by spaces. */
  setTo(list: string): void {
    const names = list.split(/\s+/).filter((each) => each !== '') as BrowserToolName[];
    this.disable([...this.enabled.keys()].filter((each) => !names.includes(each)));
    this.enable(names);
  }
}
