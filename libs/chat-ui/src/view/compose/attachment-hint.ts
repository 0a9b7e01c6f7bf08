import { nameOf, sizeOf } from '../../state';
import { filled, type Texts } from '../../texts';
import type { Attachment } from '../../wire';
import { bytes } from '../content';

/** The server's bounds where the application sets none; it alone decides. */
const MOST = 8;
const LARGEST = 5_242_880;

/** A hint at attachments that the server may refuse, before they are uploaded. */
export function hintOf(attachments: readonly Attachment[], texts: Texts): string | undefined {
  if (attachments.length > MOST)
    return filled(texts.tooMany, { count: attachments.length, most: MOST });
  const large = attachments.find((each) => (sizeOf(each) ?? 0) > LARGEST);
  return (
    large &&
    filled(texts.tooLarge, {
      name: nameOf(large, texts),
      size: bytes(sizeOf(large) ?? 0),
      largest: bytes(LARGEST),
    })
  );
}
