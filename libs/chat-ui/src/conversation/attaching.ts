import { nameOf, type Attachment } from '../state/attachment';
import type { ChatStore } from '../state/store';

/** As the server has it. */
const LONGEST_NAME = 255;

/** What the user puts beside a message that is not sent yet. */
export class Attaching {
  private reading: Promise<unknown> | undefined;

  constructor(private readonly store: ChatStore) {}

  /** Resolves when everything that was given is there; `undefined` where it is. */
  get isReading(): Promise<unknown> | undefined {
    return this.reading;
  }

  async add(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    // Each waits for those before it, so that they stay in their order.
    const reading = Promise.all([this.reading, this.read(files)]).then(([, read]) => {
      const added = read.filter((each) => each !== undefined);
      const unread = files.filter((_file, index) => read[index] === undefined);
      const names = added.map(nameOf).join(', ');
      this.store.update(({ attachments }) => ({
        attachments: [...attachments, ...added],
        ...(added.length > 0 && { attachmentNews: `Attached: ${names}.` }),
        ...(unread.length > 0 && {
          problem: {
            code: 'unreadable_file',
            message: `Not attached, for it cannot be read: ${unread.map(({ name }) => name).join(', ')}.`,
          },
        }),
      }));
    });
    this.reading = reading;
    await reading;
    if (this.reading === reading) this.reading = undefined;
  }

  remove(attachment: Attachment): void {
    this.store.update(({ attachments }) => ({
      attachments: attachments.filter((each) => each !== attachment),
      attachmentNews: `Removed: ${nameOf(attachment)}.`,
    }));
  }

  private read(files: readonly File[]): Promise<readonly (Attachment | undefined)[]> {
    return Promise.all(files.map((file) => attachmentOf(file).catch(() => undefined)));
  }
}

async function attachmentOf(file: File): Promise<Attachment> {
  // Systems know no type for many texts; the server looks at the bytes.
  const mediaType = file.type || 'text/plain';
  const data = await base64Of(file);
  const name = file.name.slice(0, LONGEST_NAME);
  return { type: mediaType.startsWith('image/') ? 'image' : 'file', mediaType, name, data };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('It cannot be read.'));
    reader.onload = () => {
      const url = reader.result as string;
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.readAsDataURL(file);
  });
}
