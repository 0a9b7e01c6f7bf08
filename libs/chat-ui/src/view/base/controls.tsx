import type { ComponentProps } from 'preact';
import { Icon, type IconName } from './icon';

type ButtonProps = Omit<ComponentProps<'button'>, 'icon'> & { readonly icon: IconName };

/** A button with an icon, which `aria-label` or its words name. */
export function IconButton({ icon, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class="quiet" {...rest}>
      <Icon name={icon} />
      {children}
    </button>
  );
}

/** A line of words, where there are any. */
export function Line({ children, ...rest }: ComponentProps<'p'>) {
  return children ? <p {...rest}>{children}</p> : null;
}
