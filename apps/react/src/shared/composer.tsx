import { useState, type FormEvent } from 'react';

interface ComposerProps {
  readonly isBusy: boolean;
  readonly onSend: (text: string, files: FileList | undefined) => void;
  readonly onStop: () => void;
}

/** Where the user writes, and attaches pictures. */
export function Composer({ isBusy, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const { files } = form.elements.namedItem('files') as HTMLInputElement;
    onSend(text, files?.length ? files : undefined);
    setText('');
    form.reset();
  };
  return (
    <form className="composer" onSubmit={submit}>
      <input name="files" type="file" accept="image/*" multiple aria-label="Pictures" />
      <input
        aria-label="Message"
        placeholder="Message"
        autoComplete="off"
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {isBusy ? (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button className="primary">Send</button>
      )}
    </form>
  );
}
