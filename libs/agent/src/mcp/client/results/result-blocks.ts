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
const MAX_URI_CHARS = 2_000;
const NO_BASE64 = /[^A-Za-z0-9+/=\s]/;

type Mask = (text: string) => string;

/**
 * The content of a server's result, as blocks for the model. A single text stays a text.
 *
 * @param mask masks credentials, before a text is cut: the part that is left is not found
 */
export function contentOf(content: JsonValue | undefined, mask: Mask): ResultContent {
  if (!Array.isArray(content)) return [];
  const sent = content as readonly JsonValue[];
  const blocks = sent.slice(0, MAX_BLOCKS).map((block) => blockOf(block, mask));
  if (sent.length > MAX_BLOCKS) {
    blocks.push(text(`[${sent.length - MAX_BLOCKS} further blocks were left out.]`));
  }
  const [first] = blocks;
  return blocks.length === 1 && first?.type === 'text' ? first.text : blocks;
}

function blockOf(block: JsonValue, mask: Mask): Block {
  if (!isJsonObject(block)) return text('[A block that cannot be read was left out.]');
  switch (block['type']) {
    case 'text':
      return text(mask(stringIn(block, 'text') ?? ''));
    case 'image':
    case 'audio':
      return mediaOf(block, block['data']);
    case 'resource':
      return resourceOf(block['resource'], mask);
    case 'resource_link':
      return linkOf(block, mask);
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

function resourceOf(resource: JsonValue | undefined, mask: Mask): Block {
  if (!isJsonObject(resource)) return text('[A resource that cannot be read was left out.]');
  const words = stringIn(resource, 'text');
  const uri = uriOf(resource, mask);
  if (words !== undefined) return text(uri === '' ? mask(words) : `${uri}:\n${mask(words)}`);
  return mediaOf(resource, resource['blob'], nameOf(uri));
}

/** A link becomes text: a server must not make the model's provider fetch an address. */
function linkOf(block: JsonObject, mask: Mask): TextBlock {
  const name = stringIn(block, 'title') ?? stringIn(block, 'name') ?? 'Resource';
  const description = stringIn(block, 'description');
  const end = description === undefined ? '' : ` (${mask(description)})`;
  return text(`${mask(name)}: ${uriOf(block, mask)}${end}`);
}

function uriOf(block: JsonObject, mask: Mask): string {
  return mask(stringIn(block, 'uri') ?? '').slice(0, MAX_URI_CHARS);
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
