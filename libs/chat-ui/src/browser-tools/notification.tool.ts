import type { BrowserTool } from '../../public/agent-chat.mjs';
import type { Toast } from '../state';

const LEVELS: readonly Toast['level'][] = ['info', 'success', 'warning', 'error'];

/** Shows a short message in a corner of the page. */
export function notificationTool(
  show: (toast: Omit<Toast, 'key'>) => void,
): BrowserTool<{ message: string; level?: Toast['level'] }> {
  return {
    name: 'show_notification',
    description: 'Show the user a short notification in a corner of the page',
    input_schema: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'What to say, one sentence', maxLength: 300 },
        level: { type: 'string', enum: [...LEVELS], description: 'info where it is left out' },
      },
      required: ['message'],
      additionalProperties: false,
    },
    run: ({ message, level = 'info' }) => {
      show({
        message: String(message).slice(0, 300),
        level: LEVELS.includes(level) ? level : 'info',
      });
      return 'The notification is shown.';
    },
  };
}
