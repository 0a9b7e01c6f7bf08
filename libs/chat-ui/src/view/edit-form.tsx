import type { TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { saysNothing, type Attachment } from '../state/attachment';
import { Attachments } from './attachments';
import { useChat } from './chat-context';

/**
 * A message of the user's in the place where it stands, to be changed and sent again. Enter saves,
 * Shift and Enter begin a new line, Escape cancels.
 */
export function EditForm({
  runId,
  text,
  attachments,
  mayReplace,
  close,
}: {
  readonly runId: string;
  readonly text: string;
  /** They stay. */
  readonly attachments: readonly Attachment[] | undefined;
  readonly mayReplace: boolean;
  readonly close: () => void;
}) {
  const { conversation } = useChat();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [words, setWords] = useState(text);
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  useLayoutEffect(() => {
    const box = field.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }, []);
  useLayoutEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight + 2, 320)}px`;
  }, [words]);

  const isEmpty = saysNothing({ text: words, ...(attachments && { attachments }) });
  const save = async (): Promise<void> => {
    if (!mayReplace || isEmpty) return;
    setProblem(undefined);
    setSending(true);
    const refusal = await conversation.edit(runId, words.trim());
    setSending(false);
    if (refusal === undefined) close();
    else setProblem(refusal.message);
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // The button is disabled meanwhile, and would lose the focus.
    field.current?.focus();
    void save();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>): void => {
    // While an input method composes a word, these keys end the word or give it up.
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      // In a sidebar it would close the chat.
      event.stopPropagation();
      if (!isSending) close();
    } else if (event.key === 'Enter' && !event.shiftKey && event.target === field.current) {
      event.preventDefault();
      void save();
    }
  };
  return (
    <form
      class="edit-form"
      part="edit-form"
      aria-label="Edit message"
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      {attachments && <Attachments attachments={attachments} />}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Your message"
        aria-describedby={id}
        aria-invalid={problem !== undefined}
        readOnly={isSending}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <p class="hint" id={id}>
        The answer to it, and all that followed, is replaced.
      </p>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <div class="edit-buttons">
        <button type="submit" class="primary" disabled={!mayReplace || isEmpty}>
          Save
        </button>
        <button type="button" disabled={isSending} onClick={close}>
          Cancel
        </button>
        {isSending && (
          <span class="hint" role="status">
            Sending…
          </span>
        )}
      </div>
    </form>
  );
}
