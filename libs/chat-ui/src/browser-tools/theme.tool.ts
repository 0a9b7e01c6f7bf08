import type { BrowserTool } from '../../public/agent-chat.mjs';

const THEMES = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof THEMES)[number];

/** Switches between light and dark. */
export function themeTool(apply: (theme: Theme) => void): BrowserTool<{ theme: Theme }> {
  return {
    name: 'set_theme',
    description: 'Set the theme of the page: light, dark, or as the system has it',
    input_schema: {
      type: 'object',
      properties: {
        theme: { type: 'string', enum: [...THEMES], description: 'auto follows the system' },
      },
      required: ['theme'],
      additionalProperties: false,
    },
    run: ({ theme }) => {
      if (!THEMES.includes(theme)) throw new Error(`There is no theme "${String(theme)}".`);
      apply(theme);
      return `The theme is ${theme} now.`;
    },
  };
}
