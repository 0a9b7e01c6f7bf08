import { hasMagic, magicTypeOf } from '../../../internal';
import {
  isJsonObject,
  type FileBlock,
  type ImageBlock,
  type JsonObject,
  type JsonValue,
  type ResultContent,
  type TextBlock,
} from '../../../message';

type Block = TextBlock | ImageBlock | FileBlock;

const MAX_BLOCKS = 1_000;
const MAX_FIELD_CHARS = 255;
const NO_BASE64 = /[^A-Za-z0-9+/=\s]/;

/** The content of a server's result, as blocks for the model. A single text stays a text. */
export function contentOf(content: JsonValue | undefined): ResultContent {
  if (!Array.isArray(content)) return [];
  const sent = content as readonly JsonValue[];
  const blocks = sent.slice(0, MAX_BLOCKS).map(blockOf);
  if (sent.length > MAX_BLOCKS) {
    blocks.push(text(`[${sent.length - MAX_BLOCKS} further blocks were left out.]`));
  }
  const [first] = blocks;
  return blocks.length === 1 && first?.type === 'text' ? first.text : blocks;
}

/** The content with its texts and names masked. */
export function maskedContent(
  content: ResultContent,
  mask: (text: string) => string,
): ResultContent {
  if (typeof content === 'string') return mask(content);
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return { ...block, text: mask(block.text) };
      case 'file':
        return block.name === undefined ? block : { ...block, name: mask(block.name) };
      default:
        return block;
    }
  });
}

function blockOf(block: JsonValue): Block {
  if (!isJsonObject(block)) return text('[A block that cannot be read was left out.]');
  switch (block['type']) {
    case 'text':
      return text(stringIn(block, 'text') ?? '');
    case 'image':
    case 'audio':
      return mediaOf(block, block['data']);
    case 'resource':
      return resourceOf(block['resource']);
    case 'resource_link':
      return linkOf(block);
    default:
      return text('[A block of an unknown type was left out.]');
  }
}

function mediaOf(block: JsonObject, data: JsonValue | undefined, name?: string): Block {
  if (typeof data !== 'string') return text('[A block without data was left out.]');
  if (NO_BASE64.test(data)) return text('[A block whose data is not base64 was left out.]');
  const said = stringIn(block, 'mimeType')?.slice(0, MAX_FIELD_CHARS) ?? 'application/octet-stream';
  const mediaType = mediaTypeOf(said, data);
  if (mediaType === undefined) return text(`[A block that does not contain ${said} was left out.]`);
  if (mediaType.startsWith('image/')) return { type: 'image', mediaType, data };
  return { type: 'file', mediaType, data, ...(name !== undefined && { name }) };
}

/**
 * The media type: of a picture that of its bytes, since providers refuse a request in which the two
 * differ, and with it the rest of the conversation. `undefined` for data of no such type.
 */
function mediaTypeOf(said: string, data: string): string | undefined {
  const actual = magicTypeOf(Buffer.from(data.slice(0, 64), 'base64'));
  if (said.startsWith('image/') && actual?.startsWith('image/')) return actual;
  return hasMagic(said) && actual !== said ? undefined : said;
}

function resourceOf(resource: JsonValue | undefined): Block {
  if (!isJsonObject(resource)) return text('[A resource that cannot be read was left out.]');
  const words = stringIn(resource, 'text');
  const uri = stringIn(resource, 'uri')?.slice(0, 2_000) ?? '';
  if (words !== undefined) return text(uri === '' ? words : `${uri}:\n${words}`);
  return mediaOf(resource, resource['blob'], nameOf(uri));
}

/** A link becomes text: a server must not make the model's provider fetch an address. */
function linkOf(block: JsonObject): TextBlock {
  const uri = stringIn(block, 'uri')?.slice(0, 2_000) ?? '';
  const name = stringIn(block, 'title') ?? stringIn(block, 'name') ?? 'Resource';
  const description = stringIn(block, 'description');
  return text(`${name}: ${uri}${description === undefined ? '' : ` (${description})`}`);
}

function nameOf(uri: string): string | undefined {
  const [path = ''] = uri.split(/[?#]/);
  const name = path.split('/').findLast((part) => part !== '');
  return name?.slice(0, MAX_FIELD_CHARS);
}

function stringIn(block: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(block, key) ? block[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function text(words: string): TextBlock {
  return { type: 'text', text: words };
}
