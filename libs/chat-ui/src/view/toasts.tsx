import type { Toast } from '../state/chat-state';
import { useChat } from './chat-context';
import { Icon } from './icon';

/** Notifications that a browser tool shows. */
export function Toasts({ toasts }: { readonly toasts: readonly Toast[] }) {
  const { dismissToast } = useChat();
  return (
    <div class="toasts" part="toasts" role="status">
      {toasts.map(({ key, message, level }) => (
        <div key={key} class={`toast ${level}`} part="toast">
          <span dir="auto">{message}</span>
          <button
            type="button"
            class="quiet"
            aria-label="Dismiss notification"
            onClick={() => dismissToast(key)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
