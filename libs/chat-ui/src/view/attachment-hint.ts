import { nameOf, sizeOf, type Attachment } from '../state/attachment';
import { bytes } from './format';

/** The server's bounds where the application sets none; it alone decides. */
const MOST = 8;
const LARGEST = 5_242_880;

/** What may be refused, before it is uploaded. */
export function hintOf(attachments: readonly Attachment[]): string | undefined {
  if (attachments.length > MOST) {
    return `These are ${attachments.length} attachments; usually at most ${MOST} are accepted.`;
  }
  const large = attachments.find((each) => (sizeOf(each) ?? 0) > LARGEST);
  if (large === undefined) return undefined;
  const size = bytes(sizeOf(large) ?? 0);
  return `${nameOf(large)} has ${size}; usually at most ${bytes(LARGEST)} are accepted.`;
}
