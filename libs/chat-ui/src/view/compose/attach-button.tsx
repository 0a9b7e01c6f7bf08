import { useRef } from 'preact/hooks';
import { IconButton, useTexts } from '../base';

/** The types that the server takes by default. */
const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*';

/** Lets the user choose files. */
export function AttachButton({ attach }: { readonly attach: (files: readonly File[]) => void }) {
  const texts = useTexts();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        onChange={({ currentTarget }) => {
          attach([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
      <IconButton
        icon="clip"
        class="attach"
        part="attach"
        aria-label={texts.attach}
        title={texts.attachHint}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
