import type { FormField, Typed } from '../form-values';
import { useWords } from './words-context';

/** A field for each argument of a tool. */
export function SchemaForm({
  fields,
  typed,
  onTyped,
}: {
  readonly fields: readonly FormField[];
  readonly typed: Typed;
  readonly onTyped: (typed: Typed) => void;
}) {
  const { attempt: T } = useWords();
  if (fields.length === 0) return <p class="faint">{T.none}</p>;
  return (
    <>
      {fields.map((field, index) => (
        <Field
          key={field.name}
          id={`argument-${index}`}
          field={field}
          value={typed.get(field.name) ?? ''}
          onValue={(value) => onTyped(new Map([...typed, [field.name, value]]))}
        />
      ))}
    </>
  );
}

interface FieldProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Field({ id, field, value, onValue }: FieldProps) {
  const { attempt: T } = useWords();
  const { name, kind, description, isRequired } = field;
  return (
    <div class="field">
      <label for={id}>
        {name} <span class="faint">{isRequired ? T.required : kind}</span>
      </label>
      <Control id={id} field={field} value={value} onValue={onValue} />
      {description !== '' && (
        <p class="faint" id={`${id}-about`}>
          {description}
        </p>
      )}
    </div>
  );
}

function Control({ id, field: { kind, choices, description }, value, onValue }: FieldProps) {
  const { attempt: T } = useWords();
  const common = {
    id,
    value,
    ...(description !== '' && { 'aria-describedby': `${id}-about` }),
  };
  const take = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onValue(currentTarget.value);
  switch (kind) {
    case 'boolean':
    case 'choice':
      return (
        <select {...common} onChange={take}>
          <option value="">{T.notGiven}</option>
          {(kind === 'boolean' ? ['true', 'false'] : choices).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      );
    case 'json':
      return <textarea {...common} class="code" rows={4} spellcheck={false} onInput={take} />;
    case 'secret':
      return <input {...common} type="password" autocomplete="off" onInput={take} />;
    default:
      return (
        <input
          {...common}
          type="text"
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          autocomplete="off"
          onInput={take}
        />
      );
  }
}
