import { nameOf, sizeOf, webAddress } from '../../state';
import { TEXTS } from '../../texts';
import type { Attachment } from '../../wire';
import { Icon, IconButton } from '../base';
import { bytes } from './format';
import { isDrawn, Thumbnail } from './thumbnail';

interface AttachmentsProps {
  readonly attachments: readonly Attachment[] | undefined;
  /** Where they may still be taken away. */
  readonly remove?: (attachment: Attachment) => void;
}

/** The pictures and files of a message. */
export function Attachments({ attachments = [], remove }: AttachmentsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" part="attachments" aria-label={TEXTS.attachments}>
      {attachments.map((attachment, index) => {
        const isPicture = isDrawn(attachment);
        return (
          <li key={index} class="attachment">
            {isPicture ? <Thumbnail picture={attachment} /> : <Icon name="clip" />}
            {(!isPicture || remove) && <Words attachment={attachment} />}
            {remove && (
              <IconButton
                icon="close"
                aria-label={TEXTS.remove(nameOf(attachment))}
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
  const size = sizeOf(attachment);
  const href = webAddress(attachment.url ?? '')?.href;
  const Name = href === undefined ? 'bdi' : 'a';
  const link = href === undefined ? {} : { href, target: '_blank', rel: 'noopener noreferrer' };
  return (
    <span class="attachment-words">
      <Name class="attachment-name" {...link}>
        {nameOf(attachment)}
      </Name>
      {size !== undefined && <span class="attachment-size">{bytes(size)}</span>}
    </span>
  );
}
