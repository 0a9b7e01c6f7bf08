import { useEffect, useImperativeHandle, useRef } from 'preact/hooks';
import type { Ref } from 'preact';
import { AttachButton } from './attach-button';
import { hintOf } from './attachment-hint';
import { Attachments } from './attachments';
import { useChat } from './chat-context';
import { Icon } from './icon';

export interface ComposerHandle {
  readonly fill: (text: string) => void;
  readonly focus: () => void;
}

/** Where the user writes. Enter sends, Shift and Enter begin a new line. */
export function Composer({ handle }: { readonly handle: Ref<ComposerHandle> }) {
  const { state, conversation, mayAttach } = useChat();
  const { draft: text, attachments } = state;
  const hint = hintOf(attachments);
  const field = useRef<HTMLTextAreaElement>(null);
  const isRunning = state.connection !== 'idle';

  useImperativeHandle(handle, () => ({
    fill: (words) => {
      conversation.write(words);
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
    field.current?.focus();
    void conversation.submit();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes a word, Enter ends the word.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  const attach = (files: readonly File[]): void => {
    conversation.attach(files);
    field.current?.focus();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const { clipboardData } = event;
    const files = [...(clipboardData?.files ?? [])];
    // Cells of a table come as text and as a picture of it: the text is meant.
    if (!mayAttach || files.length === 0 || clipboardData?.getData('text/plain')) return;
    event.preventDefault();
    attach(files);
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
      {attachments.length > 0 && (
        <Attachments
          attachments={attachments}
          remove={(attachment) => {
            conversation.detach(attachment);
            field.current?.focus();
          }}
        />
      )}
      {hint !== undefined && (
        <p class="hint" role="status">
          {hint}
        </p>
      )}
      <p class="hidden" role="status">
        {state.attachmentNews}
      </p>
      {mayAttach && <AttachButton attach={attach} />}
      <textarea
        ref={field}
        part="input"
        rows={1}
        dir="auto"
        aria-label="Message"
        placeholder="Ask something…"
        value={text}
        onInput={(event) => conversation.write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {isRunning ? (
        <button
          key="stop"
          type="button"
          class="stop"
          part="stop"
          onClick={({ detail }) => {
            // The second click of a double one, whose first was on the button that stood here before.
            if (detail > 1) return;
            field.current?.focus();
            void conversation.stop();
          }}
        >
          <Icon name="stop" />
          Stop
        </button>
      ) : (
        <button
          key="send"
          type="submit"
          class="primary"
          part="send"
          disabled={(text.trim() === '' && attachments.length === 0) || state.isSendQueued}
        >
          Send
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
