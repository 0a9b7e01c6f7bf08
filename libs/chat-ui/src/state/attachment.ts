/** A picture or a file of a message, as it is sent and stored. */
export interface Attachment {
  readonly type: 'image' | 'file';
  readonly mediaType?: string;
  /** Whatever the file was called: text, and nothing else. The server keeps none of pictures. */
  readonly name?: string;
  /** The bytes in base64. */
  readonly data?: string;
  /** In place of the bytes; the page never loads it. */
  readonly url?: string;
}

/** What the user says at once. */
export interface Said {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

export function saysNothing({ text, attachments = [] }: Said): boolean {
  return text.trim() === '' && attachments.length === 0;
}

/** What one reads of it: its name, else what it is. */
export function nameOf({ type, name, url }: Attachment): string {
  return name || url || (type === 'image' ? 'Picture' : 'File');
}

/** Bytes that it has here; `undefined` where only its address is known. */
export function sizeOf({ data }: Attachment): number | undefined {
  if (data === undefined) return undefined;
  const padding = /={0,2}$/.exec(data)?.[0].length ?? 0;
  return Math.floor((data.length * 3) / 4) - padding;
}
