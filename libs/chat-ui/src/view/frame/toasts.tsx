import type { Toast } from '../../state';
import { TEXTS } from '../../texts';
import { IconButton, useChat } from '../base';

/** Notifications that a browser tool shows. */
export function Toasts({ toasts }: { readonly toasts: readonly Toast[] }) {
  const { dismissToast } = useChat();
  return (
    <div class="toasts" part="toasts" role="status">
      {toasts.map(({ key, message, level }) => (
        <div key={key} class={`toast ${level}`} part="toast">
          <span dir="auto">{message}</span>
          <IconButton icon="close" aria-label={TEXTS.dismiss} onClick={() => dismissToast(key)} />
        </div>
      ))}
    </div>
  );
}
