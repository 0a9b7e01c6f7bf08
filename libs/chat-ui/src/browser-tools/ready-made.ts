import type { BrowserToolName } from '../../public/agent-chat.mjs';
import type { Toast } from '../state';
import { drawSvgTool, type Drawing } from './draw-svg.tool';
import { notificationTool } from './notification.tool';
import { pageInfoTool } from './page-info.tool';
import { themeTool, type Theme } from './theme.tool';
import type { ToolBox } from './tool-box';

/** What the ready-made tools do to the page they are in. */
export interface PageEffects {
  readonly showToast: (toast: Omit<Toast, 'key'>) => void;
  readonly applyTheme: (theme: Theme) => void;
  readonly draw: (drawing: Drawing) => void;
}

/**
 * Puts a tool that comes with the chat into the box.
 *
 * @returns a function that takes the tool away again
 * @throws TypeError for a name that none has
 */
export function registerReadyMade(
  box: ToolBox,
  name: BrowserToolName,
  { showToast, applyTheme, draw }: PageEffects,
): () => void {
  switch (name) {
    case 'get_page_info':
      return box.register(pageInfoTool());
    case 'show_notification':
      return box.register(notificationTool(showToast));
    case 'set_theme':
      return box.register(themeTool(applyTheme));
    case 'draw_svg':
      return box.register(drawSvgTool(draw));
    default:
      throw new TypeError(`There is no ready-made browser tool "${String(name)}".`);
  }
}
