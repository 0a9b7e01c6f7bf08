import { useEffect, useImperativeHandle, useRef, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import { useChat } from './chat-context';
import { Icon } from './icon';

export interface ComposerHandle {
  readonly fill: (text: string) => void;
  readonly focus: () => void;
}

/** Where the user writes. Enter sends, Shift and Enter begin a new line. */
export function Composer({ handle }: { readonly handle: Ref<ComposerHandle> }) {
  const { state, conversation } = useChat();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const isRunning = state.connection !== 'idle';

  useImperativeHandle(handle, () => ({
    fill: (words) => {
      setText(words);
      field.current?.focus();
    },
    focus: () => field.current?.focus(),
  }));
  useEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight + 2, 200)}px`;
  }, [text]);

  const send = (): void => {
    if (isRunning || text.trim() === '') return;
    setText('');
    field.current?.focus();
    void conversation.send(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes a word, Enter ends the word.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class="composer"
      part="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        part="input"
        rows={1}
        dir="auto"
        aria-label="Message"
        placeholder="Ask something…"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <button
          type="button"
          class="stop"
          part="stop"
          onClick={() => {
            field.current?.focus();
            void conversation.stop();
          }}
        >
          <Icon name="stop" />
          Stop
        </button>
      ) : (
        <button type="submit" class="primary" part="send" disabled={text.trim() === ''}>
          Send
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
