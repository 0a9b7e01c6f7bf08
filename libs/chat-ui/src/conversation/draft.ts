import { nameOf, type ChatStore, type Said } from '../state';
import { filled } from '../texts';
import type { Attachment } from '../wire';

/** As the server has it. */
const LONGEST_NAME = 255;

/** A message that is not sent yet, with its attachments. */
export class Draft {
  /** Resolves when all that was attached is read; `undefined` where it is. */
  reading: Promise<unknown> | undefined;

  constructor(private readonly store: ChatStore) {}

  write(draft: string): void {
    this.store.update({ draft });
  }

  async attach(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const read = Promise.all(files.map((file) => attachmentOf(file).catch(() => undefined)));
    // Each waits for those before it, so that they stay in their order.
    const reading = Promise.all([read, this.reading]).then(([each]) => this.add(files, each));
    this.reading = reading;
    await reading;
    if (this.reading === reading) this.reading = undefined;
  }

  detach(attachment: Attachment): void {
    this.store.update(({ attachments, texts }) => ({
      attachments: attachments.filter((each) => each !== attachment),
      attachmentNews: filled(texts.removed, { name: nameOf(attachment, texts) }),
    }));
  }

  get said(): Said {
    const { draft, attachments } = this.store.state;
    return { text: draft.trim(), ...(attachments.length > 0 && { attachments }) };
  }

  clear(): void {
    this.store.update({ draft: '', attachments: [], attachmentNews: '' });
  }

  /** Puts a message that was not taken back into the box. */
  giveBack({ text, attachments = [] }: Said): void {
    this.store.update((state) => ({
      draft: [text, state.draft].filter((each) => each.trim() !== '').join('\n'),
      attachments: [...attachments, ...state.attachments],
    }));
  }

  private add(files: readonly File[], read: readonly (Attachment | undefined)[]): void {
    const added = read.filter((each) => each !== undefined);
    const unread = files.filter((_file, index) => read[index] === undefined);
    const { texts } = this.store.state;
    const message = filled(texts.problems.unreadable, {
      names: unread.map(({ name }) => name).join(', '),
    });
    const attachmentNews = filled(texts.attached, {
      names: added.map((each) => nameOf(each, texts)).join(', '),
    });
    this.store.update(({ attachments }) => ({
      attachments: [...attachments, ...added],
      ...(added.length > 0 && { attachmentNews }),
      ...(unread.length > 0 && { problem: { code: 'unreadable_file', message } }),
    }));
  }
}

async function attachmentOf(file: File): Promise<Attachment> {
  // Systems know no type for many texts; the server looks at the bytes.
  const mediaType = file.type || 'text/plain';
  const data = await base64Of(file);
  const name = file.name.slice(0, LONGEST_NAME);
  return { type: mediaType.startsWith('image/') ? 'image' : 'file', mediaType, name, data };
}

async function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  reader.readAsDataURL(file);
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
  });
  // Base64 has no comma.
  return (reader.result as string).split(',')[1] ?? '';
}
