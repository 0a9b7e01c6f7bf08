import type { TargetedMouseEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ApprovalAnswer } from '../../conversation';
import type { Approval, ToolPart } from '../../state';
import { filled } from '../../texts';
import { Button, Line, useChat, useTexts } from '../base';
import { title, unseen } from '../content';
import { ArgumentField, fieldsOf, inputOf } from './argument-field';

interface ApprovalFormProps {
  readonly part: ToolPart;
  readonly approval: Approval;
}

/** Asks whether a tool may run, with which arguments. */
export function ApprovalForm({ part, approval }: ApprovalFormProps) {
  const { state, conversation } = useChat();
  const texts = useTexts();
  const id = useId();
  const input = part.input ?? {};
  const [fields, setFields] = useState(() => fieldsOf(input));
  const [remember, setRemember] = useState(false);
  const edited = inputOf(input, fields);
  const isEdited = JSON.stringify(edited.value) !== JSON.stringify(input);
  const { isSending = false, problem, reason } = approval;
  const tool = state.tools.find(({ name }) => name === part.name);

  // The tool's name is emphasised, wherever the language puts it.
  const [before, after] =
    part.agent === undefined
      ? texts.wantsToRun.split('{tool}')
      : filled(texts.askedWantsToRun, { agent: title(part.agent), tool: '{tool}' }).split('{tool}');

  const answer = (element: HTMLElement, given: ApprovalAnswer): void => {
    // The buttons go away: the keyboard goes on from the card.
    element.closest('.tool')?.querySelector('summary')?.focus();
    void conversation.answer(part.callId, given);
  };
  // By its click, which Enter in a field causes as well: a sandboxed frame may submit no form.
  const approve = (event: TargetedMouseEvent<HTMLButtonElement>): void => {
    event.preventDefault();
    if (edited.value === undefined) return;
    answer(event.currentTarget, {
      approve: true,
      ...(isEdited ? { input: edited.value } : remember && { remember }),
    });
  };
  return (
    <form>
      {/* A form with a name is a landmark, and two calls of one tool have the same name. */}
      <div class="approval" part="approval" role="group" aria-labelledby={`${id}-title`}>
        <p class="approval-title" id={`${id}-title`}>
          {before}
          <strong>{title(part.name)}</strong>
          {after}
        </p>
        <p class="approval-reason" id={`${id}-reason`}>
          {reason}
        </p>
        {Object.entries(fields).map(([name, text]) => (
          <label key={name}>
            <span>{name}</span>
            <ArgumentField
              value={input[name] ?? null}
              text={text}
              isWrong={edited.wrong.includes(name)}
              onChange={(changed) => setFields({ ...fields, [name]: changed })}
            />
            {edited.wrong.includes(name) && <em class="wrong">{texts.wrongValue}</em>}
            {unseen(text) && <em class="wrong">{filled(texts.unseen, { text: unseen(text) })}</em>}
          </label>
        ))}
        <Line class="wrong" role="alert">
          {problem}
        </Line>
        {tool && !tool.destructive && part.agent === undefined && (
          <label class="check">
            <input
              type="checkbox"
              checked={remember && !isEdited}
              disabled={isEdited}
              onChange={(event) => setRemember(event.currentTarget.checked)}
            />
            <span>{texts.always}</span>
          </label>
        )}
        <div class="buttons">
          <Button
            words={texts.approve}
            type="submit"
            class="primary"
            onClick={approve}
            disabled={isSending || edited.value === undefined}
            aria-describedby={`${id}-title ${id}-reason`}
          />
          <Button
            words={texts.reject}
            disabled={isSending}
            aria-describedby={`${id}-title`}
            onClick={({ currentTarget }) => answer(currentTarget, { approve: false })}
          />
          {(isSending || isEdited) && (
            <span class="hint">{isSending ? texts.sending : texts.edited}</span>
          )}
        </div>
      </div>
    </form>
  );
}
