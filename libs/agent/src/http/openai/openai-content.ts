import { isJsonObject, type FileBlock, type ImageBlock } from '../../message';
import { checkedContent, type UserContent } from '../../run';
import type { AgentHttpOptions } from '../options';
import { invalid, type RawBody, unsupported, wrong } from './openai-fields';

/** A message's content, text or parts, as blocks. @throws OpenAiRequestError naming the part */
export function contentOf(content: unknown, at: string): readonly UserContent[] {
  return blocksOf(content, at, blockOf);
}

/** @param blockOf reads a part of the content */
export function blocksOf(
  content: unknown,
  at: string,
  blockOf: (part: unknown, at: string) => UserContent,
): readonly UserContent[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw wrong(at, 'a string or an array of content parts');
  return content.map((part: unknown, index) => blockOf(part, `${at}[${index}]`));
}

/** Blocks with their attachments checked. @throws InvalidInputError for a refused attachment */
export function checkedBlocks(
  blocks: readonly UserContent[],
  at: string,
  attachments: AgentHttpOptions['limits']['attachments'],
): readonly UserContent[] {
  const part = (index: number): string => `${at}[${index}]`;
  return checkedContent(blocks, attachments, { name: at, part, hasUntypedPictures: true });
}

/** As `contentOf`, for messages in which OpenAI accepts no pictures and files. */
export function textContentOf(content: unknown, at: string): readonly UserContent[] {
  const blocks = contentOf(content, at);
  const odd = blocks.findIndex(({ type }) => type !== 'text');
  if (odd < 0) return blocks;
  throw invalid(`${at}[${odd}].type`, "only 'text' is supported in messages of this role");
}

function blockOf(part: unknown, at: string): UserContent {
  if (!isJsonObject(part)) throw wrong(at, 'an object');
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: stringIn(part, part['type'], at) };
    case 'image_url':
      return imageOf(part['image_url'], `${at}.image_url`);
    case 'file':
      return fileOf(part['file'], `${at}.file`);
    default:
      throw invalid(`${at}.type`, "supported values are 'text', 'image_url' and 'file'");
  }
}

export function stringIn(part: RawBody, key: string, at: string): string {
  const text = part[key];
  if (typeof text !== 'string') throw wrong(`${at}.${key}`, 'a string');
  return text;
}

/** A `data:` address is parsed where attachments are checked. */
function imageOf(image: unknown, at: string): ImageBlock {
  const url = isJsonObject(image) ? image['url'] : undefined;
  if (typeof url !== 'string') throw wrong(`${at}.url`, 'a string');
  return { type: 'image', url };
}

function fileOf(file: unknown, at: string): FileBlock {
  if (!isJsonObject(file)) throw wrong(at, 'an object');
  const { file_data: url, filename } = file;
  if (typeof url !== 'string') {
    throw unsupported('value', at, "has to bring its content as 'file_data'");
  }
  return { type: 'file', url, ...(typeof filename === 'string' && { name: filename }) };
}
