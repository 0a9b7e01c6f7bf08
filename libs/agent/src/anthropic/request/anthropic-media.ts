import type {
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { FileBlock, ImageBlock } from '../../message';
import { imageTypeOf, mediaLabel, sourceOf } from '../../model/history';

/**
 * A picture or file as the Messages API accepts it: four kinds of pictures, PDFs and plain text.
 * Other media are named in text.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/vision
 * @see https://platform.claude.com/docs/en/build-with-claude/files
 */
export function mediaBlock(
  block: ImageBlock | FileBlock,
): ImageBlockParam | DocumentBlockParam | TextBlockParam {
  const shown = block.type === 'image' ? imageBlock(block) : documentBlock(block);
  return shown ?? { type: 'text', text: mediaLabel(block) };
}

function imageBlock(image: ImageBlock): ImageBlockParam | undefined {
  const source = sourceOf(image);
  if (source.kind === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
  const media_type = source.kind === 'data' ? imageTypeOf(source.mediaType) : undefined;
  if (source.kind === 'none' || media_type === undefined) return undefined;
  return { type: 'image', source: { type: 'base64', media_type, data: source.data } };
}

function documentBlock(file: FileBlock): DocumentBlockParam | undefined {
  const source = documentSource(file);
  const title = file.name === undefined || file.name === '' ? {} : { title: file.name };
  return source && { type: 'document', source, ...title };
}

function documentSource(file: FileBlock): DocumentBlockParam['source'] | undefined {
  const source = sourceOf(file);
  const mediaType = source.kind === 'data' ? source.mediaType : file.mediaType;
  const isPdf = mediaType === 'application/pdf';
  // Only PDFs are fetched; a file without a type may be one.
  if (source.kind === 'url') {
    return isPdf || mediaType === undefined ? { type: 'url', url: source.url } : undefined;
  }
  if (source.kind === 'none') return undefined;
  if (isPdf) return { type: 'base64', media_type: 'application/pdf', data: source.data };
  const text = Buffer.from(source.data, 'base64').toString('utf8');
  const isText = mediaType?.startsWith('text/') === true && text.trim() !== '';
  return isText ? { type: 'text', media_type: 'text/plain', data: text } : undefined;
}
