import { Buffer } from 'node:buffer';
import { hasMagic, magicTypeOf } from '../../internal';
import type { ContentBlock, FileBlock, ImageBlock, TextBlock } from '../../message';
import { type SessionEntry, unseenText } from '../../session';
import { InvalidInputError } from './run-errors';

/** A content block of a user's message. */
export type UserContent = TextBlock | ImageBlock | FileBlock;
type Attachment = ImageBlock | FileBlock;

/**
 * Limits of the attachments that callers may send.
 *
 * @example
 * const attachments: AttachmentLimits = { maxCount: 2, mediaTypes: ['image/png', 'image/jpeg'] };
 */
export interface AttachmentLimits {
  /** Attachments per message; 8 by default. */
  readonly maxCount?: number;
  /** Bytes per attachment; 5 242 880 (5 MiB) by default. */
  readonly maxBytes?: number;
  /**
   * Media types; `text/*` accepts every subtype. PNG, JPEG, WebP and GIF pictures, PDF and texts by
   * default.
   */
  readonly mediaTypes?: readonly string[];
}

export const DEFAULT_ATTACHMENTS: Required<AttachmentLimits> = {
  maxCount: 8,
  maxBytes: 5_242_880,
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf', 'text/*'],
};

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** `type/subtype` of https://www.rfc-editor.org/rfc/rfc6838#section-4.2. */
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/;
/** The part of a base64 `data:` URL before its comma. */
const DATA_URL_HEAD = /^data:([^;]+)(?:;.*)?;base64$/is;
/** The maximum length of an `https:` URL. */
const URL_CHARS = 8_192;

/** The field names of a wire protocol, for error messages. */
interface ContentPlace {
  /** The content field. */
  readonly name: string;
  /** One content block. */
  readonly part: (index: number) => string;
  /** Whether the protocol has no media type for pictures sent by URL. */
  readonly hasUntypedPictures?: boolean;
}

/** The limit of file systems. A model reads the names of attachments that it cannot see. */
export const MAX_NAME_CHARS = 255;

const CHAT: ContentPlace = { name: 'content', part: (index) => `content/${index}` };

/**
 * Checks a user's attachments and normalizes them: bytes in `data`, `https:` addresses in `url`.
 * Fetches nothing; a provider may fetch a URL.
 *
 * @throws InvalidInputError `attachment_refused` or `attachment_too_large`
 */
export function checkedContent(
  content: readonly UserContent[],
  limits: Required<AttachmentLimits> | false,
  place: ContentPlace = CHAT,
): readonly UserContent[] {
  const count = content.filter(({ type }) => type !== 'text').length;
  if (count === 0) return content;
  if (limits === false) throw refused(place.name, 'Attachments are disabled.');
  if (count > limits.maxCount) {
    const most = limits.maxCount === 1 ? 'one is' : `${limits.maxCount} are`;
    throw refused(place.name, `The message has ${count} attachments; at most ${most} accepted.`);
  }
  return content.map((block, index) =>
    block.type === 'text' ? block : checked(block, index, limits, place),
  );
}

/** Replaces blocks that the model cannot read with a description in text. */
export function readable(
  content: readonly ContentBlock[],
  sees: { readonly images?: boolean; readonly files?: boolean },
): readonly ContentBlock[] {
  if (content.every((block) => isSeen(block, sees))) return content;
  return content.map((block) => (isSeen(block, sees) ? block : described(block)));
}

function described(block: ContentBlock): TextBlock {
  const { type, mediaType, name } = block as FileBlock | ImageBlock;
  const what = type === 'file' ? 'a file' : 'a picture';
  const facts = [name === undefined ? '' : JSON.stringify(name), mediaType]
    .filter(Boolean)
    .join(', ');
  return { type: 'text', text: unseenText(`The user attached ${what}${facts && ` (${facts})`}.`) };
}

/**
 * Informs the user that the model cannot read an attachment.
 *
 * @param withoutFrom where the attachments begin that a provider refused
 */
export function notSeen(runId: string, modelName: string, withoutFrom?: number): SessionEntry {
  const message = `The model ${modelName} cannot read the attachment. The model was informed.`;
  const code = 'attachment_not_seen';
  return {
    type: 'noticed',
    runId,
    code,
    message,
    ...(withoutFrom !== undefined && { withoutFrom }),
  };
}

function isSeen(
  { type }: ContentBlock,
  { images = false, files = false }: { readonly images?: boolean; readonly files?: boolean },
): boolean {
  if (type === 'image') return images;
  return type !== 'file' || files;
}

function checked(
  block: Attachment,
  index: number,
  { maxBytes, mediaTypes }: Required<AttachmentLimits>,
  { part, hasUntypedPictures = false }: ContentPlace,
): Attachment {
  const where = part(index);
  const { mediaType, data } = inOneForm(block, where);
  const isUntyped = mediaType === undefined && data === undefined && block.type === 'image';
  if (isUntyped && hasUntypedPictures && mediaTypes.some((each) => each.startsWith('image/'))) {
    return { type: 'image', ...address(block, where) };
  }
  const type = mediaType?.toLowerCase().split(';', 1)[0]?.trim();
  if (
    type === undefined ||
    !MEDIA_TYPE.test(type) ||
    !mediaTypes.some((each) => fits(type, each))
  ) {
    const given = mediaType === undefined ? 'no "mediaType"' : `the type "${mediaType}"`;
    throw refused(where, `${where} has ${given}; one of ${mediaTypes.join(', ')} is accepted.`);
  }
  if (block.name !== undefined && block.name.length > MAX_NAME_CHARS) {
    throw refused(where, `${where}: "name" may have ${MAX_NAME_CHARS} characters at most.`);
  }
  const name = block.name === undefined ? {} : { name: block.name };
  if (block.type === 'image' && !type.startsWith('image/')) {
    throw refused(where, `${where} is an "image" of the type "${type}": send it as a "file".`);
  }
  if (data === undefined)
    return { type: block.type, mediaType: type, ...address(block, where), ...name };
  if (data.length > Math.ceil(maxBytes / 3) * 4) throw tooLarge(where, maxBytes);
  if (data === '' || data.length % 4 !== 0 || !BASE64.test(data)) {
    throw refused(where, `${where}: "data" must be base64.`);
  }
  const bytes = Buffer.from(data, 'base64');
  if (bytes.byteLength > maxBytes) throw tooLarge(where, maxBytes);
  if (!isOfType(bytes, type)) throw refused(where, `${where} does not contain "${type}" data.`);
  return { type: block.type, mediaType: type, data, ...name };
}

/** Moves the bytes of a `data:` URL to `data`. */
function inOneForm(block: Attachment, where: string): Pick<Attachment, 'mediaType' | 'data'> {
  const { mediaType, data, url } = block;
  if ((data === undefined) === (url === undefined)) {
    throw refused(where, `${where} needs either "data" or a "url".`);
  }
  const inline = url === undefined ? undefined : inlineOf(url);
  if (inline) return { ...inline, ...(mediaType !== undefined && { mediaType }) };
  return { ...(mediaType !== undefined && { mediaType }), ...(data !== undefined && { data }) };
}

/** The content of a `data:` URL. Only its head is parsed: the rest may be megabytes. */
function inlineOf(url: string): Required<Pick<Attachment, 'mediaType' | 'data'>> | undefined {
  const comma = url.slice(0, URL_CHARS).indexOf(',');
  const mediaType = DATA_URL_HEAD.exec(url.slice(0, Math.max(comma, 0)))?.[1];
  return mediaType === undefined ? undefined : { mediaType, data: url.slice(comma + 1) };
}

function address({ url = '' }: Attachment, where: string): { readonly url: string } {
  if (url.length > URL_CHARS) {
    throw refused(where, `${where}: "url" has more than ${URL_CHARS} characters.`);
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:') {
    throw refused(where, `${where}: "url" must begin with "https:" or "data:".`);
  }
  return { url: parsed.href };
}

function fits(type: string, accepted: string): boolean {
  return accepted.endsWith('/*') ? type.startsWith(accepted.slice(0, -1)) : type === accepted;
}

/** Types without magic bytes are accepted; texts must be UTF-8 without NUL. */
function isOfType(bytes: Buffer, type: string): boolean {
  if (hasMagic(type)) return magicTypeOf(bytes) === type;
  return !type.startsWith('text/') || isText(bytes);
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function refused(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, [], 'attachment_refused', field);
}

function tooLarge(field: string, maxBytes: number): InvalidInputError {
  const message = `${field} is larger than ${maxBytes} bytes.`;
  return new InvalidInputError(message, [], 'attachment_too_large', field);
}
