import type { BrowserTool } from '../../public/agent-chat.mjs';
import type { Toast } from '../state';
import { drawSvgTool, type Drawing } from './draw-svg.tool';
import { notificationTool } from './notification.tool';
import { pageInfoTool } from './page-info.tool';
import { themeTool, type Theme } from './theme.tool';
import type { ToolBox } from './tool-box';

/** The effects of the ready-made tools on their page. */
export interface PageEffects {
  readonly showToast: (toast: Omit<Toast, 'key'>) => void;
  readonly applyTheme: (theme: Theme) => void;
  readonly draw: (drawing: Drawing) => void;
}

/** The tools that come with the chat, as far as they are enabled. */
export class ReadyMadeTools {
  private readonly enabled = new Map<string, () => void>();
  private readonly tools: ReadonlyMap<string, BrowserTool>;

  constructor(
    private readonly box: ToolBox,
    { showToast, applyTheme, draw }: PageEffects,
  ) {
    const tools = [
      pageInfoTool(),
      notificationTool(showToast),
      themeTool(applyTheme),
      drawSvgTool(draw),
    ] as unknown as readonly BrowserTool[];
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** @throws TypeError for a name that none has */
  enable(names: readonly string[]): void {
    for (const name of names) {
      const tool = this.tools.get(name);
      if (tool === undefined) throw new TypeError(`There is no ready-made browser tool "${name}".`);
      if (!this.enabled.has(name)) this.enabled.set(name, this.box.register(tool));
    }
  }

  disable(names: readonly string[]): void {
    for (const name of names) {
      this.enabled.get(name)?.();
      this.enabled.delete(name);
    }
  }

  /** Enables exactly those that are named, parted by spaces. */
  setTo(list: string): void {
    for (const remove of this.enabled.values()) remove();
    this.enabled.clear();
    this.enable(list.split(/\s+/).filter((each) => each !== ''));
  }
}
