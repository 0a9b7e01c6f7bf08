import { isJsonObject } from '../../../message';

/** The members of results that this module checks itself, entry by entry. */
type RawName = 'tools' | 'content';
const NAMES: readonly RawName[] = ['tools', 'content'];

/**
 * Moves lists of a result to members that the client does not check: it would refuse a whole list
 * because of one bad entry, and collect problems for minutes where there are millions of them.
 */
export function withRawLists(message: object): void {
  const { result } = message as { readonly result?: Record<string, unknown> | null };
  for (const name of NAMES) {
    if (!Array.isArray(result?.[name])) continue;
    result[memberFor(name)] = result[name];
    result[name] = [];
  }
}

/** A list of a result as the server sent it, unchecked; empty if it sent none. */
export function rawList(result: unknown, name: RawName): readonly unknown[] {
  const list = isJsonObject(result) ? result[memberFor(name)] : undefined;
  return Array.isArray(list) ? list : [];
}

function memberFor(name: RawName): string {
  return `nestjs-agent/${name}`;
}
