import { invalidParams } from './rpc-error';

/** One page of a list, and the cursor of the next one. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * One page of a list. A cursor is the position of its first item, opaque to clients.
 *
 * @throws RpcError invalid params for a cursor that this server did not issue
 */
export function pageOf<Item>(items: readonly Item[], size: number, cursor?: unknown): Page<Item> {
  const start = cursor === undefined ? 0 : positionOf(cursor);
  const next = start + size;
  return {
    items: items.slice(start, next),
    ...(next < items.length && { nextCursor: Buffer.from(`p${next}`).toString('base64url') }),
  };
}

function positionOf(cursor: unknown): number {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const position = /^p(\d{1,9})$/.exec(text)?.[1];
  if (position === undefined) {
    throw invalidParams('Invalid cursor: pass the "nextCursor" of the previous page.');
  }
  return Number(position);
}
