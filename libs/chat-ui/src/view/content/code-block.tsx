import { useState } from 'preact/hooks';
import { filled } from '../../texts';
import { IconButton, useTexts } from '../base';

interface CodeBlockProps {
  readonly text: string;
  /** For the head; the label by default. */
  readonly language?: string;
  readonly label?: string;
}

/** Code with a button that copies it, where the browser lets the page do that. */
export function CodeBlock({ text, language, label }: CodeBlockProps) {
  const texts = useTexts();
  const name = label ?? texts.code;
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
        <span>{(language ?? name.toLowerCase()).split(/\s/)[0]}</span>
        {isSecureContext && (
          <IconButton
            icon={isCopied ? 'check' : 'copy'}
            aria-label={filled(texts.copy, { what: name })}
            onClick={copy}
          >
            <span role="status">{isCopied ? texts.copied : ''}</span>
          </IconButton>
        )}
      </div>
      <pre tabIndex={0} dir="ltr" role="group" aria-label={name}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
