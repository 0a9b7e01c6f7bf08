import { isJsonObject, type FileBlock, type ImageBlock, type JsonObject } from '../../../message';
import type { UserContent } from '../../../run';
import {
  blocksOf,
  checkedBlocks,
  type ConversationLimits,
  invalid,
  OpenAiRequestError,
  stringIn,
  wrong,
} from '../../openai';

/** The media types that OpenAI's protocol leaves to the ending of a name or an address. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
]);

/**
 * The content of a user's message or of a call's output, attachments checked.
 *
 * @throws OpenAiRequestError naming the part
 * @throws InvalidInputError for a refused attachment
 */
export function contentOf(
  content: unknown,
  at: string,
  attachments: ConversationLimits['attachments'],
): readonly UserContent[] {
  return checkedBlocks(blocksOf(content, at, blockOf), at, attachments);
}

/** As `contentOf`, for messages in which only texts are accepted. */
export function textOf(content: unknown, at: string): string {
  const blocks = blocksOf(content, at, blockOf);
  return blocks
    .map((block, index) => {
      if (block.type === 'text') return block.text;
      throw wrong(`${at}[${index}].type`, 'a part of text');
    })
    .join('');
}

function blockOf(part: unknown, at: string): UserContent {
  if (!isJsonObject(part)) throw wrong(at, 'an object');
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: stringIn(part, 'text', at) };
    case 'refusal':
      return { type: 'text', text: stringIn(part, 'refusal', at) };
    case 'input_image':
      return pictureOf(part, at);
    case 'input_file':
      return fileOf(part, at);
    default:
      throw invalid(
        `${at}.type`,
        "supported values are 'input_text', 'input_image', 'input_file', 'output_text' and 'refusal'",
      );
  }
}

function pictureOf(part: JsonObject, at: string): ImageBlock {
  const { image_url: url } = part;
  if (typeof url !== 'string') throw withoutContent(part, `${at}.image_url`);
  return { type: 'image', url, ...typed(url, url) };
}

function fileOf(part: JsonObject, at: string): FileBlock {
  const { file_data: data, file_url: address, filename } = part;
  const url = typeof data === 'string' ? data : address;
  if (typeof url !== 'string') throw withoutContent(part, `${at}.file_data`);
  const name = typeof filename === 'string' ? filename : undefined;
  return { type: 'file', url, ...typed(url, name ?? url), ...(name !== undefined && { name }) };
}

/** A `data:` address has its own type. */
function typed(url: string, name: string): { readonly mediaType?: string } {
  if (/^data:/i.test(url)) return {};
  const [, ending = ''] = /\.([a-z]{2,4})(?:[?#].*)?$/i.exec(name.slice(-256)) ?? [];
  const mediaType = TYPES.get(ending.toLowerCase());
  return mediaType === undefined ? {} : { mediaType };
}

function withoutContent(part: JsonObject, at: string): OpenAiRequestError {
  const stored = part['file_id'] === undefined ? '' : ' Files cannot be stored here.';
  return new OpenAiRequestError(
    `Invalid value for '${at}': expected the content, as a 'data:' or 'https:' address.${stored}`,
    at,
  );
}
