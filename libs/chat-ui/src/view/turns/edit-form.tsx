import type { TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { saysNothing, type Said } from '../../state';
import { Button, COMPOSING, focusLog, keepKey, Line, useChat, useGrowing, useTexts } from '../base';
import { Attachments } from '../content';

interface EditFormProps {
  readonly runId: string;
  /** Its attachments stay. */
  readonly said: Said;
  readonly mayReplace: boolean;
  readonly close: () => void;
}

/**
 * A message of the user, edited in place and sent again. Enter saves,
 * Shift and Enter begin a new line, Escape cancels.
 */
export function EditForm({ runId, said, mayReplace, close }: EditFormProps) {
  const { conversation } = useChat();
  const texts = useTexts();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(said.text);
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  useGrowing(field, text, 320);
  useLayoutEffect(() => {
    const box = field.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
    // The new message may take the place of this one, form and all.
    return () => focusLog(box);
  }, []);

  const maySave = mayReplace && !saysNothing({ ...said, text });
  const save = async (): Promise<void> => {
    if (!maySave) return;
    setProblem(undefined);
    setSending(true);
    const refusal = await conversation.edit(runId, text.trim());
    setSending(false);
    if (refusal === undefined) close();
    else setProblem(refusal.message);
  };
  const onClick = (): void => {
    // The button is disabled meanwhile, and would lose the focus.
    field.current?.focus();
    void save();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>): void => {
    // Keys of an input method, which end its word or give it up.
    if (event.keyCode === COMPOSING) return;
    if (event.key === 'Escape') {
      keepKey(event);
      if (!isSending) close();
    } else if (event.key === 'Enter' && !event.shiftKey && event.target === field.current) {
      event.preventDefault();
      void save();
    }
  };
  return (
    <form class="edit-form" part="edit-form" aria-label={texts.editMessage} onKeyDown={onKeyDown}>
      <Attachments attachments={said.attachments} />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={texts.yourMessage}
        aria-describedby={id}
        aria-invalid={problem !== undefined}
        readOnly={isSending}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="hint" id={id}>
        {texts.editHint}
      </p>
      <Line class="wrong" role="alert">
        {problem}
      </Line>
      <div class="buttons">
        <Button words={texts.save} class="primary" disabled={!maySave} onClick={onClick} />
        <Button words={texts.cancel} disabled={isSending} onClick={close} />
        {isSending && (
          <span class="hint" role="status">
            {texts.sending}
          </span>
        )}
      </div>
    </form>
  );
}
