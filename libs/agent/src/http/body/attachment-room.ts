import type { ContentDto } from '../dto';
import { bodyOf, nodeRequest } from '../wire';
import { bodyTooLarge } from './read-json';

/**
 * A body may be larger by what is attached; the rest of it has the bound of every body.
 *
 * @throws HttpException 413
 */
export function checkRest(
  request: unknown,
  content: readonly ContentDto[] | undefined,
  limit: number,
): void {
  const attached = (content ?? [])
    .filter(({ type }) => type !== 'text')
    .reduce((sum, { data, url }) => sum + (data?.length ?? 0) + (url?.length ?? 0), 0);
  if (sizeOf(request) - attached > limit) throw bodyTooLarge(limit);
}

/** As it was sent, where that is known and was not compressed. */
function sizeOf(request: unknown): number {
  const { headers } = nodeRequest(request);
  const length = Number(headers['content-length'] ?? NaN);
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  if (isPlain && Number.isSafeInteger(length)) return length;
  return Buffer.byteLength(JSON.stringify(bodyOf(request)));
}
