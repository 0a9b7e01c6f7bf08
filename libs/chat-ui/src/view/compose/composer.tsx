import type { Ref } from 'preact';
import { useImperativeHandle, useRef } from 'preact/hooks';
import { saysNothing } from '../../state';
import { COMPOSING, Icon, IconButton, Line, useChat, useGrowing, useTexts } from '../base';
import { Attachments } from '../content';
import { AttachButton } from './attach-button';
import { hintOf } from './attachment-hint';

export interface ComposerHandle {
  readonly fill: (text: string) => void;
  readonly focus: () => void;
}

/** The field for messages. Enter sends, Shift and Enter begin a new line. */
export function Composer({ handle }: { readonly handle: Ref<ComposerHandle> }) {
  const { state, conversation, mayAttach } = useChat();
  const texts = useTexts();
  const { draft: text, attachments } = state;
  const hint = hintOf(attachments, texts);
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowing(field, text, 200);

  /** Does something that ends with the cursor in the field. */
  const refocus = <Args extends readonly unknown[]>(action: (...args: Args) => unknown) => {
    return (...args: Args): void => {
      field.current?.focus();
      void action(...args);
    };
  };
  const send = refocus(() => conversation.submit());
  const attach = refocus((files: readonly File[]) => conversation.draft.attach(files));
  useImperativeHandle(handle, () => ({
    fill: refocus((words: string) => conversation.draft.write(words)),
    focus: () => field.current?.focus(),
  }));
  const onKeyDown = (event: KeyboardEvent): void => {
    // The Enter of an input method ends its word.
    if (event.key !== 'Enter' || event.shiftKey || event.keyCode === COMPOSING) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const { clipboardData } = event;
    const files = [...(clipboardData?.files ?? [])];
    // Table cells are pasted as text and as a picture of it: the text is used.
    if (!mayAttach || files.length === 0 || clipboardData?.getData('text/plain')) return;
    event.preventDefault();
    attach(files);
  };
  return (
    <div class="composer" part="composer">
      <Attachments
        attachments={attachments}
        remove={refocus((attachment) => conversation.draft.detach(attachment))}
      />
      <Line class="hint" role="status">
        {hint}
      </Line>
      <p class="hidden" role="status">
        {state.attachmentNews}
      </p>
      {mayAttach && <AttachButton attach={attach} />}
      <textarea
        ref={field}
        part="input"
        rows={1}
        dir="auto"
        aria-label={texts.message}
        placeholder={texts.placeholder}
        value={text}
        onInput={(event) => conversation.draft.write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {state.connection !== 'idle' ? (
        <IconButton
          key="stop"
          icon="stop"
          class="stop"
          part="stop"
          onClick={({ detail }) => {
            // The second click of a double one, whose first was on the button that stood here before.
            if (detail <= 1) refocus(() => conversation.stop())();
          }}
        >
          {texts.stop}
        </IconButton>
      ) : (
        <button
          key="send"
          type="button"
          class="primary"
          part="send"
          disabled={saysNothing({ text, attachments }) || state.isSendQueued}
          onClick={send}
        >
          {texts.send}
          <Icon name="send" />
        </button>
      )}
    </div>
  );
}
