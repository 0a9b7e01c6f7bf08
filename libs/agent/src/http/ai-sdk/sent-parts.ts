import { isJsonObject, type JsonObject } from '../../message';
import type { UserContent } from '../../run';
import { invalidRequest, mustBe, stringAt } from '../body';

/** A message of the user, as the client sends it. */
export interface SentQuestion {
  /** The client's id; missing if it cannot be stored. */
  readonly id?: string;
  readonly content: readonly UserContent[];
}

/** The assistant's message that an answer continues; its parts are not checked yet. */
export interface SentAnswer {
  readonly id: string;
  /** The run that the message's metadata names. */
  readonly runId?: string;
  readonly parts: readonly unknown[];
}

/** The longest id that a stored message may have. */
const MAX_ID = 100;
const MAX_PARTS = 100;

/** @throws HttpException 400 naming the part that cannot be read */
export function questionOf(message: JsonObject, at: string): SentQuestion {
  const id = idOf(message);
  const parts = partsOf(message, at);
  if (parts.length > MAX_PARTS) {
    throw invalidRequest([`${at}/parts must have at most ${MAX_PARTS} parts.`]);
  }
  const content = parts.flatMap((part, index) => contentOf(part, `${at}/parts/${index}`));
  if (content.length === 0) {
    throw invalidRequest([`${at}/parts must have a text or a file.`]);
  }
  return { content, ...(id !== undefined && id.length <= MAX_ID && { id }) };
}

/** @throws HttpException 400 for a message without parts or an id */
export function answerOf(message: JsonObject, at: string): SentAnswer {
  const id = idOf(message);
  if (id === undefined) throw mustBe(`${at}/id`, 'a non-empty string');
  const runId = metadataOf(message)['runId'];
  return { id, parts: partsOf(message, at), ...(typeof runId === 'string' && { runId }) };
}

/** The session that an assistant's message names. */
export function sessionNamedBy(message: JsonObject): string | undefined {
  const { sessionId } = metadataOf(message);
  return typeof sessionId === 'string' ? sessionId : undefined;
}

/** The attachments of a whole list of messages, which have their own limit. */
export function filesOf(
  messages: readonly unknown[],
): readonly { readonly type: 'file'; readonly url: string }[] {
  return messages.flatMap((message) => {
    const parts = isJsonObject(message) ? message['parts'] : undefined;
    if (!Array.isArray(parts)) return [];
    return parts.flatMap((part: unknown) => {
      if (!isJsonObject(part) || part['type'] !== 'file') return [];
      const { url } = part;
      return typeof url === 'string' ? [{ type: 'file' as const, url }] : [];
    });
  });
}

function idOf({ id }: JsonObject): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function partsOf({ parts }: JsonObject, at: string): readonly unknown[] {
  if (Array.isArray(parts)) return parts;
  throw mustBe(`${at}/parts`, 'an array');
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}

/** Texts and files; other parts are ignored, since newer clients may have more. */
function contentOf(part: unknown, at: string): readonly UserContent[] {
  if (!isJsonObject(part)) throw mustBe(at, 'an object');
  if (part['type'] === 'text') {
    const text = stringAt(part['text'], `${at}/text`);
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  }
  return part['type'] === 'file' ? [fileOf(part, at)] : [];
}

/** A `data:` address is parsed where attachments are checked. */
function fileOf(part: JsonObject, at: string): UserContent {
  const mediaType = stringAt(part['mediaType'], `${at}/mediaType`);
  const url = stringAt(part['url'], `${at}/url`);
  const type = mediaType.toLowerCase().startsWith('image/') ? 'image' : 'file';
  const { filename } = part;
  return { type, mediaType, url, ...(typeof filename === 'string' && { name: filename }) };
}
