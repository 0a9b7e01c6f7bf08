import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import type { Locator } from 'playwright-core';
import { isFocused, type ChatPage } from './support/chat-page';
import { useDemo } from './support/demo-browser';

const HOSTILE = '<img src=x onerror=alert(1)>.txt';
const PNG = {
  name: 'shot.png',
  mimeType: 'image/png',
  // One dot wide and high.
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
};
const TEXT = { name: HOSTILE, mimeType: 'text/plain', buffer: Buffer.from('Order 17') };
const SVG = {
  name: 'drawing.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
};
const PICTURE = {
  type: 'image',
  mediaType: 'image/png',
  name: PNG.name,
  data: PNG.buffer.toString('base64'),
};

const composer = (chat: ChatPage): Locator => chat.page.locator('.composer');
const mine = (chat: ChatPage): Locator => chat.log.getByRole('article', { name: 'You' });
const listed = (place: Locator): Locator =>
  place.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
/** A picture of ours, once it is painted. */
const painted = (place: Locator): Locator => place.locator('canvas[width="1"]');

async function attach(chat: ChatPage, ...files: readonly (typeof PNG)[]): Promise<void> {
  const before = await listed(composer(chat)).count();
  const chooser = chat.page.waitForEvent('filechooser');
  await chat.page.getByRole('button', { name: 'Attach', exact: true }).click();
  await (await chooser).setFiles([...files]);
  await listed(composer(chat))
    .nth(before + files.length - 1)
    .waitFor();
}

/** Pastes or drops a picture as a browser does. Resolves with whether the chat accepted it. */
function hand(chat: ChatPage, type: 'paste' | 'drop', name: string): Promise<boolean> {
  return chat.page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${PICTURE.data}'), (each) => each.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], '${name}', { type: 'image/png' }));
    const how = { bubbles: true, cancelable: true, composed: true };
    const root = document.querySelector('agent-chat').shadowRoot;
    const event = '${type}' === 'paste'
      ? new ClipboardEvent('paste', { ...how, clipboardData: data })
      : new DragEvent('drop', { ...how, dataTransfer: data });
    const target = root.querySelector('${type}' === 'paste' ? 'textarea' : '.log');
    return !target.dispatchEvent(event);
  })()`);
}

describe('pictures and files of a message', () => {
  const model = new ScriptedModel([], {
    capabilities: { tools: true, images: true, files: true },
  });
  const demo = useDemo(model);

  /** The content of the model's last request. */
  const seen = (): readonly unknown[] =>
    (model.requests.at(-1)?.messages ?? [])
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'image' || type === 'file');

  it('are chosen, pasted and dropped, taken away, sent, and shown after a reload', async () => {
    model.push('I see.');
    const chat = await demo.logIn('alice');
    await attach(chat, TEXT);
    expect(await hand(chat, 'paste', 'shot.png')).toBe(true);
    await listed(composer(chat)).nth(1).waitFor();
    expect(await hand(chat, 'drop', 'other.png')).toBe(true);
    await listed(composer(chat)).nth(2).waitFor();
    const news = composer(chat).getByRole('status');
    expect(await news.innerText()).toBe('Attached: other.png.');
    await chat.page.getByRole('button', { name: 'Remove other.png' }).click();
    expect(await news.innerText()).toBe('Removed: other.png.');
    expect(await chat.message.evaluate(isFocused)).toBe(true);
    expect(await listed(composer(chat)).allInnerTexts()).toEqual([
      expect.stringMatching(/^<img src=x onerror=alert\(1\)>\.txt\s+8 B/),
      expect.stringMatching(/^shot\.png\s+\d+ B/),
    ]);
    await painted(composer(chat)).waitFor();

    await chat.message.fill('What is this?');
    await chat.message.press('Enter');
    await chat.shows('I see.');
    await chat.idle();
    expect(await listed(composer(chat)).count()).toBe(0);
    const data = TEXT.buffer.toString('base64');
    const file = { type: 'file', mediaType: 'text/plain', name: HOSTILE, data };
    expect(seen()).toEqual([file, PICTURE]);
    await listed(mine(chat)).getByText(HOSTILE).waitFor();
    await painted(mine(chat)).waitFor();

    await chat.page.reload();
    await listed(mine(chat)).getByText(HOSTILE).waitFor();
    await painted(mine(chat)).waitFor();
    expect(await mine(chat).innerText()).toContain('What is this?');
    expect(await chat.log.locator('img').count()).toBe(0);
  });

  it('can be all that is said, and stay where it is edited or answered anew', async () => {
    model.push('A dot.', 'A red dot.', 'A small one.');
    const chat = await demo.logIn('alice');
    expect(await chat.button('Send').isDisabled()).toBe(true);
    await attach(chat, PNG);
    await chat.button('Send').click();
    await chat.shows('A dot.');
    await chat.page.reload();
    await chat.regenerate.click();
    await chat.shows('A red dot.');
    expect(seen()).toEqual([PICTURE]);
    await chat.idle();

    await chat.log.getByRole('button', { name: 'Edit', exact: true }).click();
    await chat.log.getByRole('textbox', { name: 'Your message' }).fill('How large is it?');
    await chat.log.getByRole('button', { name: 'Save' }).click();
    await chat.shows('A small one.');
    expect(seen()).toEqual([PICTURE]);
    await chat.page.reload();
    await chat.shows('How large is it?');
    await painted(mine(chat)).waitFor();
    expect(await mine(chat).count()).toBe(1);
  });

  it('stay beside what was written where the server refuses them', async () => {
    const chat = await demo.logIn('alice');
    await attach(chat, SVG);
    await chat.message.fill('Look at it');
    await chat.message.press('Enter');
    const alert = chat.page.getByRole('alert');
    await alert.getByText('image/svg+xml').waitFor();
    expect(await chat.message.inputValue()).toBe('Look at it');
    expect(await listed(composer(chat)).allInnerTexts()).toEqual([
      expect.stringContaining('drawing.svg'),
    ]);
    expect(await composer(chat).locator('canvas, img, .attachment svg script').count()).toBe(0);
    expect(await mine(chat).count()).toBe(0);

    await chat.page.getByRole('button', { name: 'Remove drawing.svg' }).click();
    const large = { ...TEXT, name: 'large.txt', buffer: Buffer.alloc(5_300_000, 'x') };
    await attach(chat, large);
    const hint = 'large.txt has 5.1 MiB; usually at most 5 MiB are accepted.';
    await composer(chat).getByText(hint).waitFor();
    await chat.message.press('Enter');
    await alert.getByText('is larger than 5242880 bytes').waitFor();
    expect(await chat.message.inputValue()).toBe('Look at it');
    expect(await listed(composer(chat)).count()).toBe(1);
  });

  it('come back where their upload is stopped', async () => {
    const chat = await demo.logIn('alice');
    const never = new Barrier();
    await chat.page.route('**/agent/chat/stream', () => never.pass());
    await attach(chat, PNG);
    await chat.message.fill('Look');
    await chat.message.press('Enter');
    await chat.shows('Sending the attachments…');
    await chat.button('Stop').click();
    await listed(composer(chat)).waitFor();
    expect(await chat.message.inputValue()).toBe('Look');
    expect(await mine(chat).count()).toBe(0);
  });

  it('are sent again by Retry, which replaces the run that failed', async () => {
    model.push(new Error('The model is away.'), 'A dot.');
    const chat = await demo.logIn('alice');
    await attach(chat, PNG);
    await chat.message.fill('What is this?');
    await chat.message.press('Enter');
    await chat.log.getByRole('button', { name: 'Retry' }).click();
    await chat.shows('A dot.');
    expect(seen()).toEqual([PICTURE]);
    await chat.page.reload();
    await chat.shows('A dot.');
    expect(await mine(chat).count()).toBe(1);
    await painted(mine(chat)).waitFor();
  });

  it('are links where they are addresses, and never loaded by the page', async () => {
    model.push('I see.');
    const chat = await demo.logIn('alice');
    const url = 'https://example.com/picture.png';
    await chat.page.route('**/agent/chat/stream', (route) => {
      const body = route.request().postDataJSON() as Record<string, unknown>;
      const content = [{ type: 'image', mediaType: 'image/png', url }];
      return route.continue({ postData: JSON.stringify({ ...body, content }) });
    });
    await chat.ask('What is this?');
    await chat.page.reload();
    const link = listed(mine(chat)).getByRole('link', { name: url });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(url);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('leave the field and the button on the screen of a phone, however many they are', async () => {
    const chat = await demo.logIn('alice', { viewport: { width: 360, height: 640 } });
    await attach(chat, ...Array.from({ length: 8 }, () => PNG));
    for (const part of [chat.message, chat.button('Send')]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
    }
  });

  it('stay on the screen of a phone in what was said, however long their names are', async () => {
    model.push('I see.');
    const chat = await demo.logIn('alice', { viewport: { width: 360, height: 700 } });
    const name = `${'a very long name '.repeat(5)}.txt`;
    await attach(chat, { ...TEXT, name }, PNG);
    await chat.button('Send').click();
    await chat.shows('I see.');
    for (const attached of await listed(mine(chat)).all()) {
      expect((await attached.boundingBox())?.x).toBeGreaterThan(0);
    }
  });

  it('can be switched off', async () => {
    const chat = await demo.logIn('alice');
    await chat.page.evaluate(`document.querySelector('agent-chat').attachments = 'off'`);
    await chat.page.locator('agent-chat[attachments="off"]').waitFor();
    expect(await chat.page.getByRole('button', { name: 'Attach' }).count()).toBe(0);
    expect(await hand(chat, 'paste', 'shot.png')).toBe(false);
    expect(await hand(chat, 'drop', 'shot.png')).toBe(false);
  });
});
