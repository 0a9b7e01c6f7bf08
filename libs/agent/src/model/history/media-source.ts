import type { FileBlock, ImageBlock } from '../../message';

/**
 * The source of a picture or file: its data, a web address, or a place that providers cannot reach.
 */
type MediaSource =
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'none' };

const DATA_URL = /^data:([^,]*);base64,(.*)$/s;

/** A data URL counts as data, since not every provider accepts one as an address. */
export function sourceOf(block: ImageBlock | FileBlock): MediaSource {
  const { data, mediaType = '', url = '' } = block;
  if (data !== undefined) return { kind: 'data', mediaType, data };
  const [, given = '', inline] = DATA_URL.exec(url) ?? [];
  if (inline !== undefined) return { kind: 'data', mediaType: given, data: inline };
  return /^https?:\/\//i.test(url) ? { kind: 'url', url } : { kind: 'none' };
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/**
 * The name of a kind of picture that OpenAI and Anthropic show their models, `undefined` for others.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/vision
 * @see https://developers.openai.com/api/docs/guides/images-vision
 */
export function imageTypeOf(mediaType: string): (typeof IMAGE_TYPES)[number] | undefined {
  const name = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  return IMAGE_TYPES.find((type) => type === name);
}

export function fileText({ name }: FileBlock, data: string): string {
  const text = Buffer.from(data, 'base64').toString('utf8');
  return `File ${name ?? 'without a name'}:\n${text}`;
}

/** The text that replaces a picture or file that cannot be shown. */
export function mediaLabel(block: ImageBlock | FileBlock): string {
  const { type, url } = block;
  const name = type === 'file' && block.name !== undefined ? ` ${block.name}` : '';
  const address = url === undefined || url.startsWith('data:') ? '' : `: ${url}`;
  return `[${type}${name}${address}]`;
}

/** The notice that a picture or file of a model is not stored in the journal. */
export function notKept(mediaType: string): { readonly code: string; readonly message: string } {
  const message = `The picture or file that the model made (${mediaType}) is not kept.`;
  return { code: 'picture_not_kept', message };
}
