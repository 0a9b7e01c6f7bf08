import type {
  ResponseInputContent,
  ResponseInputImage,
  ResponseInputFile,
} from 'openai/resources/responses/responses';
import type { ContentBlock, FileBlock, ImageBlock } from '../../../message';
import { fileText, imageTypeOf, mediaLabel, sourceOf } from '../../history';
import type { OpenAiQuirks } from '../openai-quirks';

/**
 * A user's message or a tool's result, as the Responses API accepts it. A text file is sent as
 * text; media that the service does not accept are named.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function inputContent(
  blocks: readonly ContentBlock[],
  quirks: OpenAiQuirks,
): ResponseInputContent[] {
  return blocks.flatMap((block): ResponseInputContent[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'input_text', text: block.text }];
      case 'image':
        return [imagePart(block, quirks) ?? named(block)];
      case 'file':
        return [filePart(block, quirks) ?? named(block)];
      default:
        return [];
    }
  });
}

function named(block: ImageBlock | FileBlock): ResponseInputContent {
  return { type: 'input_text', text: mediaLabel(block) };
}

function imagePart(image: ImageBlock, { images }: OpenAiQuirks): ResponseInputImage | undefined {
  const source = sourceOf(image);
  if (images === false || source.kind === 'none') return undefined;
  const detail = 'auto';
  if (source.kind === 'url') return { type: 'input_image', detail, image_url: source.url };
  const type = imageTypeOf(source.mediaType);
  return type && { type: 'input_image', detail, image_url: `data:${type};base64,${source.data}` };
}

function filePart(file: FileBlock, { files }: OpenAiQuirks): ResponseInputContent | undefined {
  const source = sourceOf(file);
  if (source.kind === 'data' && source.mediaType.startsWith('text/'))
    return { type: 'input_text', text: fileText(file, source.data) };
  if (files === false || source.kind === 'none') return undefined;
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url };
  if (source.mediaType !== 'application/pdf') return undefined;
  const file_data = `data:${source.mediaType};base64,${source.data}`;
  const part: ResponseInputFile = { type: 'input_file', filename: file.name ?? 'file', file_data };
  return part;
}
