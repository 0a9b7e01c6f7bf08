import type { ContentDto } from '../dto';
import { bodyOf, nodeRequest } from '../wire';
import { bodyTooLarge } from './read-json';

/**
 * Checks the limit of a body without its attachments, which have a limit of their own.
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

/** The size as sent; computed for compressed bodies and those without a length. */
function sizeOf(request: unknown): number {
  const { headers } = nodeRequest(request);
  const length = Number(headers['content-length'] ?? NaN);
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  if (isPlain && Number.isSafeInteger(length)) return length;
  return Buffer.byteLength(JSON.stringify(bodyOf(request)));
}
