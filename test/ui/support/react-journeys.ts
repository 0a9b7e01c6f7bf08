import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import type { Page } from 'playwright-core';
import { removed } from '../../http/agent-app';
import { useReactPages } from './react-browser';
import { ReactChat } from './react-chat';
import { FINISH, text } from './script';

export interface ReactPage {
  readonly path: string;
  readonly title: string;
  /** Whether the user may change the arguments of a call. */
  readonly edits: boolean;
  /** Whether a run is read again from its first event, or only once it has ended. */
  readonly replays: boolean;
  /** Whether an edited message replaces the one that it was. */
  readonly editsMessages?: boolean;
  /** Whether a call of the page that was left open is made after a reload. */
  readonly remakes?: boolean;
  readonly chatOf?: (page: Page) => ReactChat;
}

const PNG = {
  name: 'dot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** What a user does with each of the pages. */
export function journeys({
  path,
  title,
  edits,
  replays,
  editsMessages,
  remakes,
  chatOf,
}: ReactPage): void {
  const model = new ScriptedModel([], {
    capabilities: { tools: true, images: true, files: true },
  });
  const app = useReactPages(model);
  const open = async (): Promise<ReactChat> => {
    const page = await app.logIn(path, 'alice');
    return chatOf ? chatOf(page) : new ReactChat(page);
  };
  const told = (): string => JSON.stringify(model.requests.at(-1)?.messages);

  it('streams an answer, and shows calls of tools with their results', async () => {
    const middle = new Barrier();
    model.push({ toolCalls: [{ name: 'add', input: { a: 2, b: 3 } }] }, [
      text('It is'),
      middle,
      text(' five.'),
      FINISH,
    ]);
    const chat = await open();
    await chat.say('two and three?');
    await chat.endsAs('add', 'Done');
    await chat.shows('It is');
    middle.open();
    await chat.shows('It is five.');
    await chat.idle();
    expect(await chat.card('add').innerText()).toMatch(/"a": 2[^]*5/);
  });

  it('asks about a call, and makes it', async () => {
    model.push({ toolCalls: [{ name: 'remove_file', input: { name: 'a.txt' } }] }, 'Removed.');
    const chat = await open();
    await chat.say('remove a.txt');
    if (edits) await chat.page.getByLabel('Arguments').fill('{ "name": "b.txt" }');
    await chat.button('Approve').click();
    await chat.shows('Removed.');
    expect(removed.at(-1)).toBe(edits ? 'b.txt' : 'a.txt');
  });

  it('asks about two calls of one step', async () => {
    const call = (name: string) => ({ name: 'remove_file', input: { name } });
    model.push({ toolCalls: [call('e.txt'), call('f.txt')] }, 'One of them.');
    const chat = await open();
    await chat.say('remove e.txt and f.txt');
    await chat.button('Approve').first().click();
    await chat.button('Reject').last().click();
    await chat.shows('One of them.');
    expect(removed.at(-1)).toBe('e.txt');
  });

  it('declines a call', async () => {
    const before = removed.length;
    model.push({ toolCalls: [{ name: 'remove_file', input: { name: 'c.txt' } }] }, 'I left it.');
    const chat = await open();
    await chat.say('remove c.txt');
    await chat.button('Reject').click();
    await chat.shows('I left it.');
    expect(removed).toHaveLength(before);
  });

  it('runs tools of the page', async () => {
    model.push({ toolCalls: [{ name: 'page_title', input: {} }] }, 'I see.');
    const chat = await open();
    await chat.say('where am I?');
    await chat.shows('I see.');
    await chat.endsAs('page_title', 'Done');
    expect(told()).toContain(title);
  });

  if (remakes) {
    it('runs a tool of the page after a reload whose result never arrived', async () => {
      model.push({ toolCalls: [{ name: 'page_title', input: {} }] }, 'I see.');
      const chat = await open();
      await chat.page.route('**/agent/ai-sdk', (route) =>
        route.request().postData()?.includes('"output"') ? route.abort() : route.continue(),
      );
      await chat.say('where am I?');
      await chat.page.getByRole('alert').waitFor();
      await chat.page.unrouteAll();
      await chat.page.reload();
      await chat.shows('I see.');
      await chat.endsAs('page_title', 'Done');
      expect(told()).toContain(title);
      expect(await chat.count('where am I?')).toBe(1);
    });
  }

  it('stops, and goes on afterwards', async () => {
    model.push([text('One two'), new Barrier(), text(' three'), FINISH], 'Still here.');
    const chat = await open();
    await chat.say('count');
    await chat.shows('One two');
    await chat.button('Stop').click();
    await chat.idle();
    await chat.say('are you there?');
    await chat.shows('Still here.');
    expect(told()).toContain('One two');
  });

  it('shows what was asked when the page is loaded again', async () => {
    model.push({ toolCalls: [{ name: 'remove_file', input: { name: 'd.txt' } }] }, 'Removed d.');
    const chat = await open();
    await chat.say('remove d.txt');
    await chat.button('Approve').waitFor();
    await chat.shows('runs only with your approval');
    await chat.page.reload();
    await chat.shows('runs only with your approval');
    await chat.button('Approve').click();
    await chat.shows('Removed d.');
    expect(removed.at(-1)).toBe('d.txt');
    expect(await chat.count('remove d.txt')).toBe(1);
  });

  it('goes on when the page is loaded again in mid-run', async () => {
    const middle = new Barrier();
    model.push([text('First half,'), middle, text(' second half.'), FINISH]);
    const chat = await open();
    await chat.say('tell me');
    await chat.shows('First half,');
    await chat.page.reload();
    await chat.shows('tell me');
    if (replays) await chat.shows('First half,');
    middle.open();
    await chat.shows('First half, second half.');
    expect(await chat.count('tell me')).toBe(1);
    expect(await chat.count('First half,')).toBe(1);
  });

  it('answers again', async () => {
    model.push('A first answer.', 'Another answer.');
    const chat = await open();
    await chat.say('say something');
    await chat.shows('A first answer.');
    await chat.button('Regenerate').click();
    await chat.shows('Another answer.');
    expect(await chat.count('A first answer.')).toBe(0);
    expect(told()).not.toContain('A first answer.');
  });

  if (editsMessages) {
    it('replaces an edited message, also after a reload', async () => {
      model.push('Of a.', 'Of b.', 'Of c.', 'Of d.');
      const chat = await open();
      const edit = async (number: number, text: string): Promise<void> => {
        await chat.page.getByRole('button', { name: 'Edit' }).nth(number).click();
        await chat.page.getByRole('textbox', { name: 'Edited message' }).fill(text);
        await chat.page.getByRole('button', { name: 'Replace' }).click();
      };
      await chat.say('say a');
      await chat.shows('Of a.');
      await chat.say('say b');
      await chat.shows('Of b.');
      // A refused edit replaces nothing: the next one replaces the server's version.
      await chat.page.route('**/ai-sdk', (route) => route.fulfill({ status: 503 }), { times: 1 });
      const refused = chat.page.waitForResponse((response) => response.status() === 503);
      await edit(1, 'say nothing');
      await refused;
      await edit(1, 'say c');
      await chat.shows('Of c.');
      expect(told()).toMatch(/say a.*say c/);
      expect(told()).not.toMatch(/say b|say nothing/);
      await chat.page.reload();
      await chat.shows('Of c.');
      expect(await chat.count('say b')).toBe(0);
      await edit(0, 'say d');
      await chat.shows('Of d.');
      expect(told()).not.toMatch(/say a|say c/);
      await chat.page.reload();
      await chat.shows('Of d.');
      expect(await chat.count('say a')).toBe(0);
    });
  }

  it('sends pictures', async () => {
    model.push('A dot.');
    const chat = await open();
    await chat.attach(PNG);
    await chat.say('what is it?');
    await chat.shows('A dot.');
    expect(told()).toContain(PNG.buffer.toString('base64'));
    expect(await chat.log.locator('img').count()).toBe(1);
    await chat.page.reload();
    await chat.shows('A dot.');
    expect(await chat.log.locator('img').count()).toBe(1);
  });
}
