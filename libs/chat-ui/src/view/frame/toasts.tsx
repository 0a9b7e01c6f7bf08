import { IconButton, useChat, useTexts } from '../base';

/** Notifications that a browser tool shows. */
export function ToastList() {
  const { state, toasts } = useChat();
  const texts = useTexts();
  return (
    <div class="toasts" part="toasts" role="status">
      {state.toasts.map(({ key, message, level }) => (
        <div key={key} class={`toast ${level}`} part="toast">
          <span dir="auto">{message}</span>
          <IconButton icon="close" aria-label={texts.dismiss} onClick={() => toasts.dismiss(key)} />
        </div>
      ))}
    </div>
  );
}
