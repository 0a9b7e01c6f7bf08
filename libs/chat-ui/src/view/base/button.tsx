import type { ComponentProps } from 'preact';

type ButtonProps = ComponentProps<'button'> & { readonly words: string };

/** A button of words alone; it submits its form only with `type="submit"`. */
export function Button({ words, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest}>
      {words}
    </button>
  );
}
