import type { TargetedInputEvent } from 'preact';
import type { JsonObject, JsonValue } from '../../wire';

type Fields = Readonly<Record<string, string>>;

interface ArgumentFieldProps {
  readonly value: JsonValue;
  readonly text: string;
  readonly isWrong: boolean;
  readonly onChange: (text: string) => void;
}

/** A field for one argument of a call; `value` is the model's. */
export function ArgumentField({ value, text, isWrong, onChange }: ArgumentFieldProps) {
  if (typeof value === 'boolean') {
    return (
      <input
        type="checkbox"
        checked={text === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  const isText = typeof value === 'string';
  const shared = {
    value: text,
    dir: isText ? ('auto' as const) : ('ltr' as const),
    'aria-invalid': isWrong,
    spellcheck: false,
    onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.currentTarget.value),
  };
  // By the model's value: another element in its place would lose the cursor in mid-word.
  if (typeof value === 'object' || (isText && (value.length > 60 || value.includes('\n')))) {
    return <textarea rows={Math.min(8, text.split('\n').length + 1)} {...shared} />;
  }
  const inputMode = typeof value === 'number' ? 'decimal' : 'text';
  return <input type="text" inputMode={inputMode} autocomplete="off" {...shared} />;
}

export function fieldsOf(input: JsonObject): Fields {
  const entries = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  ]);
  return Object.fromEntries(entries) as Fields;
}

/** The arguments that the fields say; a text stays text, everything else is JSON. */
export function inputOf(
  input: JsonObject,
  fields: Fields,
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
