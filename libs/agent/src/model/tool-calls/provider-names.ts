import { toolUsesOf } from '../../message';
import type { ModelRequest } from '../chat-model';
import { shortHash } from '../../internal';

const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
/** How a name ends that had to change; one that ends so by itself changes too. */
const CHANGED = /_[0-9a-f]{10}$/;

/** A name every provider accepts. One that had to change ends in a hash, so no two become one. */
export function providerName(name: string): string {
  if (ACCEPTED.test(name) && !CHANGED.test(name)) return name;
  return hashedName(name, /[^a-zA-Z0-9_-]/g);
}

/** A name of 64 characters at most without the refused ones; the hash keeps two of them apart. */
export function hashedName(name: string, refused: RegExp): string {
  return `${name.replace(refused, '_').slice(0, 53)}_${shortHash(name, 10)}`;
}

/** The way back from `providerName`, for the names that occur in a request. */
export function namesOf(request: Pick<ModelRequest, 'messages' | 'tools'>): {
  readonly offered: ReadonlySet<string>;
  readonly nameOf: (name: string) => string;
} {
  const changed = new Map<string, string>();
  const note = (name: string): string => {
    const accepted = providerName(name);
    if (accepted !== name) changed.set(accepted, name);
    return accepted;
  };
  const offered = new Set(request.tools.map(({ name }) => note(name)));
  for (const message of request.messages) toolUsesOf(message).forEach(({ name }) => note(name));
  return { offered, nameOf: (name) => changed.get(name) ?? name };
}
