import { escapeRegExp } from './escape-reg-exp';

/** A name with `*` for any characters, as an expression for whole names. */
export function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map(escapeRegExp);
  return new RegExp(`^${parts.join('[^]*')}$`);
}
