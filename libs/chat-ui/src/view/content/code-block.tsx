import { useState } from 'preact/hooks';
import { TEXTS } from '../../texts';
import { IconButton } from '../base';

interface CodeBlockProps {
  readonly text: string;
  /** For the head; the label by default. */
  readonly language?: string;
  readonly label?: string;
}

/** Code with a button that copies it. */
export function CodeBlock({ text, language, label = TEXTS.code }: CodeBlockProps) {
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
        <span>{(language ?? label.toLowerCase()).split(/\s/)[0]}</span>
        <IconButton
          icon={isCopied ? 'check' : 'copy'}
          aria-label={TEXTS.copy(label)}
          onClick={copy}
        >
          <span role="status">{isCopied ? TEXTS.copied : ''}</span>
        </IconButton>
      </div>
      <pre tabIndex={0} dir="ltr" role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
