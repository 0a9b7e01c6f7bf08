import type {
  ChatCompletionContentPart,
  ChatCompletionContentPartText,
} from 'openai/resources/chat/completions';
import type { FileBlock, ImageBlock } from '../../../message';
import { fileText, imageTypeOf, mediaLabel, sourceOf } from '../../history';
import type { OpenAiQuirks } from '../openai-quirks';

type OpenAiText = string | ChatCompletionContentPartText[];

/** Texts as a message's content: a plain text if possible, since every service accepts that. */
export function textContent(
  texts: readonly string[],
  separator: string,
  quirks: OpenAiQuirks,
): OpenAiText | undefined {
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : textList(texts, separator, quirks);
}

/** Texts as a list of parts, even if there is only one; joined if the service accepts no list. */
export function textList(
  texts: readonly string[],
  separator: string,
  { textParts }: OpenAiQuirks,
): OpenAiText {
  return textParts === true ? texts.map((text) => ({ type: 'text', text })) : texts.join(separator);
}

/**
 * A picture or file as Chat Completions accepts it: web addresses for pictures only, and of files
 * only PDFs. A text file is sent as text; other media are named.
 *
 * @see https://developers.openai.com/api/docs/guides/file-inputs
 */
export function mediaPart(
  block: ImageBlock | FileBlock,
  quirks: OpenAiQuirks,
): ChatCompletionContentPart {
  return (
    (block.type === 'image' ? imagePart(block, quirks) : filePart(block, quirks)) ?? {
      type: 'text',
      text: mediaLabel(block),
    }
  );
}

function imagePart(image: ImageBlock, quirks: OpenAiQuirks): ChatCompletionContentPart | undefined {
  const url = pictureAddress(image, quirks);
  return url === undefined ? undefined : { type: 'image_url', image_url: { url } };
}

/** The address of a picture that the model may see: of the web, or with the picture itself. */
export function pictureAddress(image: ImageBlock, { images }: OpenAiQuirks): string | undefined {
  const source = sourceOf(image);
  if (images === false || source.kind === 'none') return undefined;
  if (source.kind === 'url') return source.url;
  const type = imageTypeOf(source.mediaType);
  return type && `data:${type};base64,${source.data}`;
}

function filePart(file: FileBlock, { files }: OpenAiQuirks): ChatCompletionContentPart | undefined {
  const source = sourceOf(file);
  if (source.kind !== 'data') return undefined;
  const { mediaType, data } = source;
  if (mediaType.startsWith('text/')) return { type: 'text', text: fileText(file, data) };
  if (mediaType !== 'application/pdf' || files === false) return undefined;
  const filename = file.name ?? 'file';
  return { type: 'file', file: { filename, file_data: `data:${mediaType};base64,${data}` } };
}
