import { isJsonObject, type JsonObject } from '../../message';
import { MAX_NAME_CHARS, type UserContent } from '../../run';
import { mustBe, objectsAt, stringAt, textAt } from '../body';

/** The parts of a message that are not text, in AG-UI's terms. */
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'document']);

/** A user's content, text or parts, as blocks. @throws HttpException 400 naming the part */
export function contentAt(content: unknown, at: string): readonly UserContent[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw mustBe(at, 'a string or an array of parts');
  return objectsAt(content, at).map((part, index) => blockAt(part, `${at}/${index}`));
}

/** The text of a tool's result. @throws HttpException 400 naming the content */
export function resultAt(content: unknown, at: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw mustBe(at, 'a string or an array of parts');
  return objectsAt(content, at)
    .map(({ type, text }) => (typeof text === 'string' ? text : placeholder(type)))
    .join('\n');
}

/** As `resultText` words parts that are not text. */
function placeholder(type: unknown): string {
  return `[${typeof type === 'string' ? type : 'part'}]`;
}

function blockAt(part: JsonObject, at: string): UserContent {
  const { type } = part;
  if (type === 'text') return { type, text: textAt(part['text'], `${at}/text`) ?? '' };
  if (MEDIA.has(type)) return { ...mediaAt(part, `${at}/source`), ...nameIn(part) };
  if (type === 'binary') return binaryAt(part, at);
  throw mustBe(`${at}/type`, 'text, image, audio, video or document');
}

function mediaAt({ type: kind, source }: JsonObject, at: string): UserContent {
  const { type, value, mimeType } = isJsonObject(source) ? source : {};
  if (type !== 'data' && type !== 'url') throw mustBe(`${at}/type`, 'data or url');
  const address = stringAt(value, `${at}/value`);
  const mediaType = textAt(mimeType, `${at}/mimeType`);
  return {
    type: kind === 'image' ? 'image' : 'file',
    ...(mediaType !== undefined && { mediaType }),
    ...(type === 'data' ? { data: address } : { url: address }),
  };
}

/** AG-UI has no field for a file's name: CopilotKit and assistant-ui send it in the metadata. */
function nameIn({ metadata }: JsonObject): { readonly name?: string } {
  const { filename } = isJsonObject(metadata) ? metadata : {};
  if (typeof filename !== 'string' || filename === '') return {};
  return { name: filename.slice(0, MAX_NAME_CHARS) };
}

/** The form of attachments before AG-UI 1.0. */
function binaryAt(part: JsonObject, at: string): UserContent {
  const mediaType = textAt(part['mimeType'], `${at}/mimeType`) ?? '';
  const data = textAt(part['data'], `${at}/data`);
  const url = textAt(part['url'], `${at}/url`);
  const name = textAt(part['filename'], `${at}/filename`);
  if (data === undefined && url === undefined) throw mustBe(at, 'a part with its data or its url');
  const isImage = mediaType.startsWith('image/');
  return {
    type: isImage ? 'image' : 'file',
    ...(mediaType !== '' && { mediaType }),
    ...(data === undefined ? { url } : { data }),
    ...(name !== undefined && { name }),
  };
}

/** The attachments of all messages: their bytes have a limit of their own. */
export function attachmentsIn(
  messages: readonly JsonObject[],
): readonly { readonly type: string; readonly data?: string }[] {
  return messages.flatMap(({ content }) => {
    if (!Array.isArray(content)) return [];
    return (content as readonly unknown[]).flatMap((part) => {
      if (!isJsonObject(part)) return [];
      const { source, data: own, url } = part;
      const data = isJsonObject(source) ? source['value'] : (own ?? url);
      return typeof data === 'string' ? [{ type: 'attachment', data }] : [];
    });
  });
}
