import { nameOf, sizeOf, type Attachment } from '../state/attachment';
import { webAddress } from '../state/sources';
import { bytes } from './format';
import { Icon } from './icon';
import { isDrawn, Thumbnail } from './thumbnail';

/** The pictures and files of a message. */
export function Attachments({
  attachments,
  remove,
}: {
  readonly attachments: readonly Attachment[];
  /** Where they may still be taken away. */
  readonly remove?: (attachment: Attachment) => void;
}) {
  return (
    <ul class="attachments" part="attachments" aria-label="Attachments">
      {attachments.map((attachment, index) => (
        <li key={index} class="attachment">
          <Shown attachment={attachment} isNamed={remove !== undefined} />
          {remove && (
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${nameOf(attachment)}`}
              onClick={() => remove(attachment)}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Shown({
  attachment,
  isNamed,
}: {
  readonly attachment: Attachment;
  readonly isNamed: boolean;
}) {
  const size = sizeOf(attachment);
  const isPicture = isDrawn(attachment);
  const href = attachment.url === undefined ? undefined : webAddress(attachment.url)?.href;
  return (
    <>
      {isPicture ? <Thumbnail picture={attachment} /> : <Icon name="clip" />}
      {(!isPicture || isNamed) && (
        <span class="attachment-words">
          {href === undefined ? (
            <bdi class="attachment-name">{nameOf(attachment)}</bdi>
          ) : (
            <a class="attachment-name" href={href} target="_blank" rel="noopener noreferrer">
              {nameOf(attachment)}
            </a>
          )}
          {size !== undefined && <span class="attachment-size">{bytes(size)}</span>}
        </span>
      )}
    </>
  );
}
