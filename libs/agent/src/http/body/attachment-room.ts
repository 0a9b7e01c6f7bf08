import { bodyOf, nodeRequest } from '../wire';
import { bodyTooLarge } from './read-json';

/** A part of a message, as any protocol sends it. */
interface SentPart {
  readonly type: string;
  readonly data?: string | null;
  readonly url?: string | null;
}

/**
 * Checks the limit of a body without its attachments, which have a limit of their own.
 *
 * @param content the parts of its messages
 * @throws HttpException 413
 */
export function checkRest(request: unknown, content: readonly SentPart[], limit: number): void {
  const attached = content
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
