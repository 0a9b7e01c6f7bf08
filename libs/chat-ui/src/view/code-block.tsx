import { useState } from 'preact/hooks';
import { Icon } from './icon';

/** Code with a button that copies it. */
export function CodeBlock({
  text,
  language,
  label = 'Code',
}: {
  readonly text: string;
  readonly language: string;
  readonly label?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 2_000);
      },
      // Without the permission to write, the text can still be selected.
      () => undefined,
    );
  };
  return (
    <div class="code" part="code">
      <div class="code-head">
        <span>{language.split(/\s/)[0]}</span>
        <button
          type="button"
          class="quiet"
          onClick={copy}
          aria-label={`Copy ${label.toLowerCase()}`}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
          <span role="status">{isCopied ? 'Copied' : ''}</span>
        </button>
      </div>
      <pre tabIndex={0} dir="ltr" role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
