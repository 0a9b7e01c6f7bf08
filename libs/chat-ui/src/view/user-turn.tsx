import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { UserTurn } from '../state/chat-state';
import { Attachments } from './attachments';
import { EditForm } from './edit-form';
import { Icon } from './icon';
import { focusLog } from './log-focus';

/** What the user said, which they can say anew. */
export function UserTurnView({
  turn,
  mayReplace,
}: {
  readonly turn: UserTurn;
  readonly mayReplace: boolean;
}) {
  const { runId, text, attachments } = turn;
  const [isEditing, setEditing] = useState(false);
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // With the form, not after the next frame: what is typed in between would be lost.
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing) {
      if (opener.current) opener.current.focus();
      else focusLog(place.current);
    }
    wasEditing.current = isEditing;
  }, [isEditing]);
  // The new message takes the place of this one, form and all.
  useLayoutEffect(
    () => () => {
      if (wasEditing.current) focusLog(place.current);
    },
    [],
  );
  return (
    <article ref={place} class="turn user" part="message user" aria-label="You">
      {isEditing && runId !== undefined ? (
        <EditForm
          runId={runId}
          text={text}
          attachments={attachments}
          mayReplace={mayReplace}
          close={() => setEditing(false)}
        />
      ) : (
        <>
          <div class="said" id={id}>
            {attachments && <Attachments attachments={attachments} />}
            {text !== '' && (
              <div class="bubble" dir="auto">
                {text}
              </div>
            )}
          </div>
          {mayReplace && (
            <button
              ref={opener}
              type="button"
              class="quiet edit"
              part="edit"
              aria-describedby={id}
              onClick={() => setEditing(true)}
            >
              <Icon name="pencil" />
              <span class="label">Edit</span>
            </button>
          )}
        </>
      )}
    </article>
  );
}
