import { toolUsesOf } from '../../message';
import type { ModelRequest } from '../chat-model';
import { shortHash } from '../../internal';

/** Kimi takes only names that begin with a letter, Gemini also those with an underscore. */
const ACCEPTED = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
/** The suffix of changed names; a name that already ends like this is changed too. */
const CHANGED = /_[0-9a-f]{10}$/;

/**
 * A name that every provider accepts. A changed name ends in a hash, so that names stay distinct.
 */
export function providerName(name: string): string {
  if (ACCEPTED.test(name) && !CHANGED.test(name)) return name;
  return hashedName(name, /[^a-zA-Z0-9_-]/g, /^[a-zA-Z]/.test(name) ? '' : 'tool_');
}

/** A name of 64 characters at most, without refused characters; the hash keeps names distinct. */
export function hashedName(name: string, refused: RegExp, prefix = ''): string {
  return `${`${prefix}${name.replace(refused, '_')}`.slice(0, 53)}_${shortHash(name, 10)}`;
}

/** The inverse of `providerName`, for the names in a request. */
export function namesOf(request: Pick<ModelRequest, 'messages' | 'tools'>): {
  readonly offeredNames: ReadonlySet<string>;
  readonly nameOf: (name: string) => string;
} {
  const changed = new Map<string, string>();
  const note = (name: string): string => {
    const accepted = providerName(name);
    if (accepted !== name) changed.set(accepted, name);
    return accepted;
  };
  const offeredNames = new Set(request.tools.map(({ name }) => note(name)));
  for (const message of request.messages) toolUsesOf(message).forEach(({ name }) => note(name));
  return { offeredNames, nameOf: (name) => changed.get(name) ?? name };
}
