import type { TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ApprovalAnswer } from '../conversation/run-answers';
import type { Approval, ToolPart } from '../state/chat-state';
import type { JsonObject, JsonValue } from '../wire/protocol';
import { useChat } from './chat-context';
import { title } from './format';

/** Asks whether a tool may run, with which arguments. */
export function ApprovalForm({
  part,
  approval,
}: {
  readonly part: ToolPart;
  readonly approval: Approval;
}) {
  const { state, conversation } = useChat();
  const id = useId();
  const input = part.input ?? {};
  const [fields, setFields] = useState<Readonly<Record<string, string>>>(() => fieldsOf(input));
  const [remember, setRemember] = useState(false);
  const edited = read(input, fields);
  const isEdited = JSON.stringify(edited.value) !== JSON.stringify(input);
  const isSending = approval.isSending ?? false;
  const tool = state.tools.find(({ name }) => name === part.name);
  const mayRemember = tool !== undefined && !tool.destructive;

  const answer = (element: HTMLElement, given: ApprovalAnswer): void => {
    // The buttons go away: who came by the keyboard goes on from the card.
    element.closest('.tool')?.querySelector('summary')?.focus();
    void conversation.answer(part.callId, given);
  };
  const approve = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (edited.value === undefined) return;
    answer(event.currentTarget, {
      approve: true,
      ...(isEdited && { input: edited.value }),
      ...(remember && !isEdited && { remember }),
    });
  };
  return (
    <form class="approval" part="approval" onSubmit={approve} aria-labelledby={`${id}-title`}>
      <p class="approval-title" id={`${id}-title`}>
        The agent wants to run <strong>{title(part.name)}</strong>.
      </p>
      <p class="approval-reason" id={`${id}-reason`}>
        {approval.reason}
      </p>
      {Object.entries(fields).map(([name, text]) => (
        <label key={name}>
          <span>{name}</span>
          <Field
            value={input[name] ?? null}
            text={text}
            invalid={edited.wrong.includes(name)}
            onChange={(changed) => setFields({ ...fields, [name]: changed })}
          />
          {edited.wrong.includes(name) && <em class="wrong">This is no valid value.</em>}
        </label>
      ))}
      {approval.problem !== undefined && (
        <p class="wrong" role="alert">
          {approval.problem}
        </p>
      )}
      {mayRemember && (
        <label class="check">
          <input
            type="checkbox"
            checked={remember && !isEdited}
            disabled={isEdited}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
          <span>Always for this tool, in this session</span>
        </label>
      )}
      <div class="approval-buttons">
        <button
          type="submit"
          class="primary"
          disabled={isSending || edited.value === undefined}
          aria-describedby={`${id}-title ${id}-reason`}
        >
          Approve
        </button>
        <button
          type="button"
          disabled={isSending}
          aria-describedby={`${id}-title`}
          onClick={({ currentTarget }) => answer(currentTarget, { approve: false })}
        >
          Reject
        </button>
        {isSending ? (
          <span class="hint">Sending…</span>
        ) : (
          isEdited && <span class="hint">Edited</span>
        )}
      </div>
    </form>
  );
}

function Field({
  value,
  text,
  invalid,
  onChange,
}: {
  readonly value: JsonValue;
  readonly text: string;
  readonly invalid: boolean;
  readonly onChange: (text: string) => void;
}) {
  if (typeof value === 'boolean') {
    return (
      <input
        type="checkbox"
        checked={text === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  // By what stood there first: another element in its place would lose the cursor in mid-word.
  if (typeof value === 'object' || (typeof value === 'string' && isLong(value))) {
    return (
      <textarea
        rows={Math.min(8, text.split('\n').length + 1)}
        value={text}
        dir={typeof value === 'string' ? 'auto' : 'ltr'}
        aria-invalid={invalid}
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      type="text"
      inputMode={typeof value === 'number' ? 'decimal' : 'text'}
      value={text}
      dir={typeof value === 'string' ? 'auto' : 'ltr'}
      aria-invalid={invalid}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function isLong(text: string): boolean {
  return text.length > 60 || text.includes('\n');
}

function fieldsOf(input: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    ]),
  );
}

/** The arguments that the fields say; a text stays text, everything else is JSON. */
function read(
  input: JsonObject,
  fields: Readonly<Record<string, string>>,
): { readonly value?: JsonObject; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  const entries = Object.entries(fields).map(([name, text]): [string, JsonValue] => {
    if (typeof input[name] === 'string') return [name, text];
    try {
      return [name, JSON.parse(text) as JsonValue];
    } catch {
      wrong.push(name);
      return [name, null];
    }
  });
  return wrong.length > 0 ? { wrong } : { value: Object.fromEntries(entries), wrong };
}
