import { ScriptedModel } from 'nestjs-agent/testing';
import { isFocused } from './support/chat-page';
import { useDemo } from './support/demo-browser';

describe('the list of past sessions', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('shows the newest 50, and the others when they are asked for', async () => {
    const chat = await demo.logIn('alice');
    model.push(...Array.from({ length: 52 }, () => 'Noted.'));
    await chat.page.evaluate(`(async () => {
      const { headers } = document.querySelector('agent-chat');
      const own = typeof headers === 'function' ? await headers() : headers;
      for (let number = 1; number <= 52; number += 1) {
        const body = JSON.stringify({ message: 'question ' + number });
        const init = { method: 'POST', headers: { ...own, 'content-type': 'application/json' }, body };
        const response = await fetch('/agent/chat', init);
        if (!response.ok) throw new Error(await response.text());
      }
    })()`);
    await chat.history.click();
    const panel = chat.panel;
    const rows = panel.locator('.session');
    const more = panel.getByRole('button', { name: 'Show more' });
    await more.waitFor();
    expect(await rows.count()).toBe(50);
    expect(await rows.first().innerText()).toContain('question 52');
    await more.click();
    await rows.nth(51).waitFor();
    expect(await rows.count()).toBe(52);
    expect(await rows.nth(50).innerText()).toContain('question 2');
    expect(await rows.nth(50).evaluate(isFocused)).toBe(true);
    expect(await more.count()).toBe(0);
  });

  it('reads the messages of a session once, also without knowing its last run', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.');
    await chat.ask('a question');
    const reads: string[] = [];
    chat.page.on('request', (request) => {
      if (request.url().endsWith('/messages')) reads.push(request.url());
    });
    await chat.page.evaluate(`(async () => {
      const chat = document.querySelector('agent-chat');
      const { session } = chat;
      chat.newSession();
      await chat.openSession(session);
    })()`);
    await chat.shows('Noted.');
    expect(reads).toHaveLength(1);
  });

  it('deletes a session only after a question, which Escape and a double click decline', async () => {
    const chat = await demo.logIn('alice');
    const { page, panel } = chat;
    const deletions: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') deletions.push(request.url());
    });
    model.push('Noted.');
    await chat.ask('keep me');
    await chat.history.click();
    const bin = panel.getByRole('button', { name: 'Delete session: keep me' });
    const question = panel.getByRole('group', { name: 'Delete session: keep me' });
    const cancel = question.getByRole('button', { name: 'Cancel' });
    await bin.focus();
    await page.keyboard.press('Enter');
    expect(await cancel.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await bin.evaluate(isFocused)).toBe(true);
    const { x, y, width, height } = (await bin.boundingBox())!;
    await page.mouse.dblclick(x + width / 2, y + height / 2);
    await bin.waitFor();
    expect(deletions).toEqual([]);

    await bin.click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await chat.page.getByRole('heading', { name: 'How can I help?' }).waitFor();
    expect(deletions).toHaveLength(1);
  });
});
