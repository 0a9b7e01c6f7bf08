import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import type { Locator } from 'playwright-core';
import { isFocused, logIn, type ChatPage } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { FINISH, remove, text } from './support/script';

const said = (model: ScriptedModel): string =>
  JSON.stringify(model.requests.at(-1)?.messages.map(({ content }) => content));

/** A message of the user, found by its text, with its actions. */
class OwnMessage {
  private readonly turn: Locator;
  readonly field: Locator;
  readonly edit: Locator;

  constructor(
    private readonly chat: ChatPage,
    text: string,
  ) {
    this.turn = chat.log.getByRole('article', { name: 'You' }).filter({ hasText: text });
    this.edit = this.turn.getByRole('button', { name: 'Edit', exact: true });
    this.field = chat.log.getByRole('textbox', { name: 'Your message' });
  }

  async changeTo(text: string): Promise<void> {
    await this.edit.click();
    await this.field.fill(text);
    await this.press('Save');
  }

  async press(name: 'Save' | 'Cancel'): Promise<void> {
    await this.chat.log.getByRole('button', { name, exact: true }).click();
  }
}

describe('a message that is said anew', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('gets another answer in the place of the last one', async () => {
    model.push('One.', 'Two.', 'Another two.');
    const chat = await demo.logIn('alice');
    await chat.ask('the first question');
    await chat.ask('the second question');
    expect(await chat.regenerate.count()).toBe(1);
    await chat.regenerate.click();
    await chat.shows('Another two.');
    await chat.idle();

    const expected = /the first question[^]*One\.[^]*the second question[^]*Another two\./;
    expect(await chat.text()).toMatch(expected);
    expect(await chat.text()).not.toMatch(/\sTwo\./);
    expect(said(model)).not.toContain('Two.');
    await chat.page.reload();
    await chat.shows('Another two.');
    expect(await chat.text()).not.toMatch(/\sTwo\./);

    model.push('A third two.');
    await chat.regenerate.click();
    await chat.shows('A third two.');
    expect(said(model)).not.toContain('Another two.');
  });

  it.each(['as it was streamed', 'after a reload'])(
    'takes the place of all that followed, %s',
    async (when) => {
      model.push('About plums.', 'About the weather.', 'About pears.');
      const chat = await demo.logIn('alice');
      await chat.ask('tell me of plums');
      await chat.ask('and the weather?');
      if (when === 'after a reload') {
        await chat.page.reload();
        await chat.shows('About the weather.');
      }
      await new OwnMessage(chat, 'tell me of plums').changeTo('tell me of pears');
      await chat.shows('About pears.');
      await chat.idle();

      expect(await chat.text()).not.toMatch(/plums|weather/);
      expect(said(model)).not.toMatch(/plums|weather/);
      await chat.page.reload();
      await chat.shows('About pears.');
      expect(await chat.text()).not.toMatch(/plums|weather/);
    },
  );

  it('is shown as it was until the new run begins', async () => {
    model.push('The old answer.', 'The new answer.');
    const chat = await demo.logIn('alice');
    await chat.ask('a question');
    const go = new Barrier();
    await chat.page.route('**/agent/chat/stream', async (route) => {
      await go.pass();
      await route.continue();
    });
    await chat.regenerate.click();
    await go.reached;
    await chat.button('Stop').waitFor();
    expect(await chat.text()).toContain('The old answer.');
    go.open();
    await chat.shows('The new answer.');
    expect(await chat.text()).not.toContain('The old answer.');
  });

  it('stays as it was where it is stopped before the new run begins', async () => {
    model.push('The old answer.');
    const chat = await demo.logIn('alice');
    await chat.ask('a question');
    await chat.page.route('**/agent/chat/stream', () => undefined);
    const message = new OwnMessage(chat, 'a question');
    await message.changeTo('another question');
    await chat.button('Stop').click();
    await chat.idle();
    await chat.log.getByRole('alert').getByText('Stopped.').waitFor();
    expect(await message.field.inputValue()).toBe('another question');
    await chat.shows('The old answer.');
  });

  it('stays as it was where the server refuses, with what was written', async () => {
    model.push('The old answer.');
    const chat = await demo.logIn('alice');
    await chat.ask('a question');
    await chat.page.route('**/agent/chat/stream', (route) => {
      const body = route.request().postDataJSON() as Record<string, unknown>;
      return route.continue({ postData: JSON.stringify({ ...body, replaceRun: 'run_unknown' }) });
    });
    const message = new OwnMessage(chat, 'a question');
    await message.changeTo('another question');
    const alert = chat.log.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/run/i);
    expect(await message.field.inputValue()).toBe('another question');
    await chat.shows('The old answer.');
    await message.press('Cancel');
    await chat.log.getByText('a question', { exact: true }).waitFor();

    await chat.regenerate.click();
    await chat.page.getByRole('alert').waitFor();
    await chat.idle();
    await chat.shows('The old answer.');
    await chat.page.unrouteAll();
    model.push('The new answer.');
    await message.changeTo('another question');
    await chat.shows('The new answer.');
    expect(await chat.page.getByRole('alert').count()).toBe(0);
  });

  it('goes back into the box where a log-in is missing', async () => {
    model.push('The answer.');
    const chat = await demo.logIn('alice');
    await chat.ask('a question');
    await chat.page.route('**/agent/chat/stream', (route) => route.fulfill({ status: 401 }));
    await new OwnMessage(chat, 'a question').changeTo('another question');
    await chat.page.waitForURL(/\/login\?return=/);
    await chat.page.unrouteAll();
    await logIn(chat.page, 'alice');
    await chat.shows('The answer.');
    expect(await chat.message.inputValue()).toBe('another question');
  });

  it('declines what its run still asked for', async () => {
    model.push(remove('api-gateway'), 'Kept.');
    const chat = await demo.logIn('bob');
    await chat.ask('delete the gateway');
    await chat.button('Approve').waitFor();
    expect(await chat.regenerate.count()).toBe(0);
    await new OwnMessage(chat, 'delete the gateway').changeTo('keep the gateway');
    await chat.shows('Kept.');
    expect(await chat.card('Delete application').count()).toBe(0);
    expect(await chat.button('Approve').count()).toBe(0);
  });

  it('is offered only where no answer is under way', async () => {
    const middle = new Barrier();
    model.push('The first answer.', [text('Half'), middle, text(' and half.'), FINISH]);
    const chat = await demo.logIn('alice');
    await chat.ask('the first question');
    await chat.say('the second question');
    await chat.shows('Half');
    const edits = chat.log.getByRole('button', { name: 'Edit', exact: true });
    expect(await edits.count()).toBe(0);
    expect(await chat.regenerate.count()).toBe(0);
    middle.open();
    await chat.idle();
    expect(await edits.count()).toBe(2);
    expect(await chat.regenerate.count()).toBe(1);
  });

  it('can be edited by the keyboard alone, in a sidebar too', async () => {
    const chat = await demo.logIn('alice');
    const { page } = chat;
    await page.evaluate(
      `Object.assign(document.querySelector('agent-chat'), { mode: 'sidebar', open: true })`,
    );
    model.push('The old answer.');
    await chat.ask('a question');
    const { edit, field } = new OwnMessage(chat, 'a question');
    expect(await edit.evaluate(describedBy)).toBe('a question');
    await edit.focus();
    await page.keyboard.press('Enter');
    expect(await field.evaluate(isFocused)).toBe(true);
    await page.keyboard.type(' of mine');
    expect(await field.inputValue()).toBe('a question of mine');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await edit.evaluate(isFocused)).toBe(true);
    await chat.log.getByText('a question', { exact: true }).waitFor();

    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('a question');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and more');
    model.push('The new answer.');
    await page.keyboard.press('Enter');
    await chat.shows('The new answer.');
    expect(said(model)).toContain(String.raw`a question\nand more`);
    expect(await chat.log.evaluate(isFocused)).toBe(true);

    await chat.idle();
    await chat.regenerate.focus();
    model.push('The newest answer.');
    await page.keyboard.press('Enter');
    await chat.shows('The newest answer.');
    expect(await chat.log.evaluate(isFocused)).toBe(true);
  });

  it('can be said by the page around the chat', async () => {
    model.push('One.', 'Two.', 'Three.', 'Four.');
    const chat = await demo.logIn('alice');
    await chat.page.evaluate(`document.querySelector('agent-chat')
      .addEventListener('agent-session', ({ detail }) => (window.runs ??= []).push(detail.runId))`);
    await chat.ask('the first question');
    await chat.ask('the second question');
    await chat.page.evaluate(`document.querySelector('agent-chat').regenerate()`);
    await chat.shows('Three.');
    await chat.page.evaluate(`document.querySelector('agent-chat').edit(runs[0], 'the only one')`);
    await chat.shows('Four.');
    expect(await chat.text()).toMatch(/^the only one\s+Edit\s+Four\./);
    await chat.page.evaluate(`document.querySelector('agent-chat').edit(runs[0], 'once more')`);
    await chat.idle();
    expect(await chat.text()).toMatch(/^the only one\s+Edit\s+Four\./);
  });
});

/** The description that a screen reader adds to a control's name; runs in the page. */
function describedBy(node: {
  getAttribute(name: string): string | null;
  getRootNode(): { getElementById?(id: string): { textContent: string } | null };
}): string | undefined {
  const id = node.getAttribute('aria-describedby') ?? '';
  return node.getRootNode().getElementById?.(id)?.textContent;
}
