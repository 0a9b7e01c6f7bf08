import { useRef } from 'preact/hooks';
import { Icon } from './icon';

/** What the server takes where the application says nothing else. */
const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*';

/** Lets the user choose files. */
export function AttachButton({ attach }: { readonly attach: (files: readonly File[]) => void }) {
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
      <button
        type="button"
        class="attach"
        part="attach"
        aria-label="Attach"
        title="Attach pictures or files"
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
    </>
  );
}
