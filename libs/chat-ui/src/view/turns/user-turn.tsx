import { useId, useRef, useState } from 'preact/hooks';
import type { UserTurn } from '../../state';
import { IconButton, useChange, useTexts } from '../base';
import { Attachments } from '../content';
import { EditForm } from './edit-form';
import type { TurnProps } from './turn';

/** A message of the user, which can be edited and sent again. */
export function UserTurnView({ turn, mayReplace }: TurnProps<UserTurn>) {
  const texts = useTexts();
  const { runId, text, attachments } = turn;
  const [isEditing, setEditing] = useState(false);
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  useChange(isEditing, (isOpen) => !isOpen && opener.current?.focus());
  return (
    <article class="turn user" part="message user" aria-label={texts.user}>
      {isEditing && runId !== undefined ? (
        <EditForm
          runId={runId}
          said={turn}
          mayReplace={mayReplace}
          close={() => setEditing(false)}
        />
      ) : (
        <>
          <div class="said" id={id}>
            <Attachments attachments={attachments} />
            {text !== '' && (
              <div class="bubble" dir="auto">
                {text}
              </div>
            )}
          </div>
          {mayReplace && (
            <IconButton
              ref={opener}
              icon="pencil"
              class="quiet edit"
              part="edit"
              aria-describedby={id}
              onClick={() => setEditing(true)}
            >
              <span class="label">{texts.edit}</span>
            </IconButton>
          )}
        </>
      )}
    </article>
  );
}
