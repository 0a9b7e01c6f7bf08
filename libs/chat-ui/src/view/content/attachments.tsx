import { nameOf, sizeOf, webAddress } from '../../state';
import { filled } from '../../texts';
import type { Attachment } from '../../wire';
import { Icon, IconButton, useTexts } from '../base';
import { bytes } from './format';
import { isDrawn, Thumbnail } from './thumbnail';

interface AttachmentsProps {
  readonly attachments: readonly Attachment[] | undefined;
  /** Where they may still be taken away. */
  readonly remove?: (attachment: Attachment) => void;
}

/** The pictures and files of a message. */
export function Attachments({ attachments = [], remove }: AttachmentsProps) {
  const texts = useTexts();
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" part="attachments" aria-label={texts.attachments}>
      {attachments.map((attachment, index) => {
        const isPicture = isDrawn(attachment);
        return (
          <li key={index} class="attachment">
            {isPicture ? <Thumbnail picture={attachment} /> : <Icon name="clip" />}
            {(!isPicture || remove) && <Words attachment={attachment} />}
            {remove && (
              <IconButton
                icon="close"
                aria-label={filled(texts.remove, { name: nameOf(attachment, texts) })}
                onClick={() => remove(attachment)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Words({ attachment }: { readonly attachment: Attachment }) {
  const texts = useTexts();
  const size = sizeOf(attachment);
  const href = webAddress(attachment.url ?? '')?.href;
  const Name = href === undefined ? 'bdi' : 'a';
  const link = href === undefined ? {} : { href, target: '_blank', rel: 'noopener noreferrer' };
  return (
    <span class="attachment-words">
      <Name class="attachment-name" {...link}>
        {nameOf(attachment, texts)}
      </Name>
      {size !== undefined && <span class="attachment-size">{bytes(size)}</span>}
    </span>
  );
}
