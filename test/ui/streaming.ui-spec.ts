import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import { useLine } from './support/breakable-line';
import type { ChatPage } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { deploy, FINISH, text } from './support/script';

/** Whether a line of the conversation is in the visible part of the log, once it is painted. */
function showsLine({ page }: ChatPage, line: string): Promise<boolean> {
  return page.evaluate(`(async () => {
    for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
    const log = document.querySelector('agent-chat').shadowRoot.querySelector('[role=log]');
    const item = [...log.querySelectorAll('li')].find((each) => each.innerText === '${line}');
    const [shown, at] = [log, item].map((node) => node.getBoundingClientRect());
    return at.top >= shown.top && at.bottom <= shown.bottom;
  })()`);
}

describe('an answer under way', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);
  const line = useLine(demo);

  it('is shown as it is written, thoughts folded', async () => {
    const middle = new Barrier();
    model.push([
      { type: 'reasoning.delta', delta: 'The user greets me.' },
      text('Good'),
      middle,
      text(' morning'),
      FINISH,
    ]);
    const chat = await demo.logIn('alice');
    await chat.say('hello');
    await chat.log.getByText('Good', { exact: true }).waitFor();
    expect(await chat.log.getAttribute('aria-busy')).toBe('true');
    expect(await chat.log.getByText('The user greets me.').isVisible()).toBe(false);
    middle.open();
    await chat.idle();

    expect(await chat.log.getAttribute('aria-busy')).toBe('false');
    await chat.log.getByText('Good morning', { exact: true }).waitFor();
    await chat.log.getByText('Thoughts').click();
    expect(await chat.log.getByText('The user greets me.').isVisible()).toBe(true);
  });

  it('links words whose address comes later', async () => {
    const middle = new Barrier();
    model.push([text('See [the docs][1].\n\nBye.'), middle, text('\n\n[1]: /docs\n'), FINISH]);
    const chat = await demo.logIn('alice');
    await chat.say('where?');
    await chat.shows('See [the docs][1].');
    middle.open();
    await chat.log.getByRole('link', { name: 'the docs', exact: true }).waitFor();
    await chat.idle();
  });

  it('stays at the end of the conversation where the window gets lower, as by a keyboard', async () => {
    const middle = new Barrier();
    const lines = Array.from({ length: 60 }, (_, line) => `- line ${line}`).join('\n');
    model.push([text(lines), middle, text('\n- the last line'), FINISH]);
    const chat = await demo.logIn('alice');
    await chat.say('count');
    await chat.shows('line 59');
    await chat.page.setViewportSize({ width: 400, height: 500 });
    expect(await showsLine(chat, 'line 59')).toBe(true);
    middle.open();
    await chat.idle();
    expect(await showsLine(chat, 'the last line')).toBe(true);
    await chat.message.fill('one\n'.repeat(4));
    expect(await showsLine(chat, 'the last line')).toBe(true);
  });

  it('stops in the middle, keeps what was said, and the session goes on', async () => {
    const never = new Barrier();
    model.push([text('One two'), never, text(' three'), FINISH], 'Still here.');
    const chat = await demo.logIn('alice');
    await chat.say('count');
    await chat.shows('One two');
    await chat.button('Stop').click();
    await chat.idle();

    expect(await chat.text()).toMatch(/One two[^]*Stopped\./);
    await chat.ask('are you there?');
    await chat.shows('Still here.');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('One two');
  });

  it('goes on where it was when the page is loaded again', async () => {
    const middle = new Barrier();
    model.push([text('First half,'), middle, text(' second half.'), FINISH]);
    const chat = await demo.logIn('alice');
    await chat.say('tell me');
    await chat.shows('First half,');
    await chat.page.reload();
    await chat.shows('First half,');
    await chat.button('Stop').waitFor();
    middle.open();
    await chat.idle();

    expect(occurrences(await chat.text(), 'tell me')).toBe(1);
    expect(occurrences(await chat.text(), 'First half, second half.')).toBe(1);
    await chat.page.reload();
    await chat.shows('First half, second half.');
    expect(occurrences(await chat.text(), 'First half')).toBe(1);
  });

  it('keeps its line when the page puts the chat elsewhere', async () => {
    const middle = new Barrier();
    model.push([text('First half,'), middle, text(' second half.'), FINISH]);
    const chat = await demo.logIn('alice');
    await chat.say('tell me');
    await chat.shows('First half,');
    const requests: string[] = [];
    chat.page.on('request', (request) => requests.push(request.url()));
    await chat.page.evaluate(`document.body.append(document.querySelector('agent-chat'))`);
    middle.open();
    await chat.idle();

    expect(occurrences(await chat.text(), 'First half, second half.')).toBe(1);
    expect(requests).toEqual([]);
  });

  it('goes on where it was when the page takes the chat away and puts it back', async () => {
    const middle = new Barrier();
    model.push([text('First half,'), middle, text(' second half.'), FINISH]);
    const chat = await demo.logIn('alice');
    const { page } = chat;
    await chat.say('tell me');
    await chat.shows('First half,');
    const hungUp = page.waitForEvent('requestfailed');
    await page.evaluate(`(window.chat = document.querySelector('agent-chat')).remove()`);
    await hungUp;
    await page.evaluate('document.body.append(window.chat)');
    await chat.button('Stop').waitFor();
    middle.open();
    await chat.idle();

    expect(occurrences(await chat.text(), 'First half, second half.')).toBe(1);
  });

  it('is of the session and the user that the page sets while it puts the chat elsewhere', async () => {
    model.push('One.', 'Two.');
    const chat = await demo.logIn('alice');
    await chat.ask('first');
    const first = await chat.page.evaluate(`document.querySelector('agent-chat').session`);
    await chat.button('New session').click();
    await chat.ask('second');
    const asked = chat.page.waitForRequest(
      (request) => request.url().endsWith('/agent/tools') && 'x-who' in request.headers(),
    );
    await chat.page.evaluate(`
      const chat = document.querySelector('agent-chat');
      const { headers } = chat;
      chat.remove();
      chat.setAttribute('session', '${String(first)}');
      chat.headers = async () => ({ ...(await headers?.()), 'x-who': 'alice' });
      document.body.append(chat);
    `);
    await asked;
    await chat.shows('One.');
  });

  it('is loaded where the page puts the chat elsewhere meanwhile', async () => {
    model.push('Stored.');
    const chat = await demo.logIn('alice');
    await chat.ask('keep this');
    await chat.page.evaluate(`
      const chat = document.querySelector('agent-chat');
      void chat.openSession(chat.session);
      document.body.append(chat);
    `);
    await chat.shows('Stored.');
  });

  it('survives a cut connection without losing or doubling a word', async () => {
    const [first, second] = [new Barrier(), new Barrier()];
    model.push([text('alpha '), first, text('beta '), second, text('gamma'), FINISH]);
    const chat = await demo.logIn('alice', {}, line.address);
    await chat.say('the letters');
    await chat.shows('alpha');
    line.cut();
    await chat.page.getByText('Connection lost. Reconnecting…').waitFor();
    first.open();
    line.restore();
    await chat.shows('alpha beta');
    second.open();
    await chat.idle();

    await chat.log.getByText('alpha beta gamma', { exact: true }).waitFor();
    expect(await chat.page.getByText('Connection lost').count()).toBe(0);
  });

  it('is shown as it was stored where a cut connection finds none of its events left', async () => {
    const first = new Barrier();
    model.push([text('alpha '), first, text('beta'), FINISH]);
    const chat = await demo.logIn('alice', {}, line.address);
    await chat.page.route('**/events', (route) => route.fulfill({ status: 204 }));
    await chat.say('the letters');
    await chat.shows('alpha');
    line.cut();
    await chat.page.getByText('Connection lost. Reconnecting…').waitFor();
    first.open();
    line.restore();
    await chat.log.getByText('alpha beta', { exact: true }).waitFor();
    await chat.idle();
  });

  it('can still be approved after the page was loaded again', async () => {
    model.push(deploy('9.9.9'), 'It is out.');
    const chat = await demo.logIn('alice');
    await chat.ask('deploy it');
    await chat.button('Approve').waitFor();
    await chat.page.reload();
    await chat.button('Approve').click();
    await chat.endsAs('Deploy application', 'Done');
    await chat.shows('It is out.');
  });

  it('shows what became of an approval that another tab answered', async () => {
    const call = deploy('8.8.8');
    const chat = await demo.logIn('alice');
    const other = await demo.logIn('alice');
    model.push(call, 'It is out.', call, 'Something else.');
    await chat.ask('deploy it');
    await other.page.goto(chat.page.url());
    await other.page.reload();
    await other.button('Approve').click();
    await other.shows('It is out.');
    await chat.button('Reject').click();
    await chat.shows('It is out.');
    await chat.endsAs('Deploy application', 'Done');
    expect(await chat.card('Deploy application').getByText('Declined').count()).toBe(0);

    await chat.ask('deploy it again');
    await other.page.goto(chat.page.url());
    await other.page.reload();
    await other.button('Approve').waitFor();
    await other.ask('no, something else');
    await chat.button('Approve').click();
    await chat.shows('Something else.');
    expect(await chat.button('Approve').count()).toBe(0);
  });

  it('follows the run of another tab, and gives a message back that came in between', async () => {
    const middle = new Barrier();
    model.push('Hello.', [text('First half,'), middle, text(' second half.'), FINISH], 'Later.');
    const chat = await demo.logIn('alice');
    const other = await demo.logIn('alice');
    await chat.ask('hello');
    await other.page.goto(chat.page.url());
    await other.page.reload();
    await other.shows('Hello.');
    await chat.say('tell me');
    await chat.shows('First half,');
    await other.message.fill('are you there?');
    await other.button('Send').click();
    await other.shows('First half,');
    await other.page.getByText('This session is busy with another message').waitFor();
    expect(await other.message.inputValue()).toBe('are you there?');
    middle.open();
    await other.shows('First half, second half.');
    await other.idle();
    await other.page.getByRole('alert').waitFor({ state: 'detached' });
    await other.button('Send').click();
    await other.shows('Later.');
    expect(occurrences(await other.text(), 'are you there?')).toBe(1);
  });

  it('gives a message back that never arrived when the run of another tab is shown', async () => {
    const middle = new Barrier();
    model.push('Hello.', [text('First half,'), middle, text(' second half.'), FINISH]);
    const chat = await demo.logIn('alice');
    const other = await demo.logIn('alice', {}, line.address);
    await chat.ask('hello');
    const { pathname, hash } = new URL(chat.page.url());
    await other.page.goto(line.address + pathname + hash);
    await other.page.reload();
    await other.shows('Hello.');
    line.cut();
    await other.ask('never arrived');
    await other.page.getByRole('button', { name: 'Retry' }).waitFor();
    line.restore();
    await chat.say('tell me');
    await chat.shows('First half,');
    await other.message.fill('are you there?');
    await other.button('Send').click();
    await other.shows('First half,');
    expect(await other.message.inputValue()).toBe('never arrived\nare you there?');
    middle.open();
    await other.idle();
  });

  it('shows a call as answered while it waits for the answer to another one', async () => {
    model.push(deploy('7.7.7', 'demo-app', 'test-service'), 'Both are out.');
    const chat = await demo.logIn('alice');
    await chat.ask('deploy both');
    await chat.button('Approve').first().click();
    const state = chat.card('Deploy application').first().locator('.tool-state');
    await state.getByText('Answered', { exact: true }).waitFor();
    await chat.page.reload();
    await state.getByText('Answered', { exact: true }).waitFor();
    await chat.button('Approve').click();
    await chat.shows('Both are out.');
    await state.getByText('Done', { exact: true }).waitFor();
  });

  it('says what went wrong, and tries again when asked to', async () => {
    model.push(new Error('no such model'), 'Now it works.');
    const chat = await demo.logIn('alice');
    await chat.ask('hello');
    await chat.log.getByRole('alert').waitFor();
    await chat.page.getByRole('button', { name: 'Retry' }).click();
    await chat.shows('Now it works.');
    expect(occurrences(await chat.text(), 'hello')).toBe(1);
  });

  it('still says what went wrong after a reload, and sends a message that was written meanwhile', async () => {
    model.push(new Error('no such model'), 'Now it works.', new Error('again'), 'I am here.');
    const chat = await demo.logIn('alice');
    await chat.ask('hello');
    await chat.log.getByRole('alert').waitFor();
    await chat.page.reload();
    await chat.page.getByRole('button', { name: 'Retry' }).click();
    await chat.shows('Now it works.');
    expect(occurrences(await chat.text(), 'hello')).toBe(1);

    await chat.ask('once more');
    await chat.log.getByRole('alert').waitFor();
    const loading = new Barrier();
    await chat.page.route('**/messages', async (route) => {
      await loading.pass();
      await route.continue();
    });
    await chat.page.reload();
    await chat.message.fill('are you there?');
    await chat.button('Send').click();
    loading.open();
    await chat.shows('I am here.');
  });

  it('is told as stopped after a reload, also where nothing was said yet', async () => {
    model.push([new Barrier(), FINISH]);
    const chat = await demo.logIn('alice');
    await chat.say('hello');
    await chat.page.waitForURL(/run=/);
    await chat.button('Stop').click();
    await chat.shows('Stopped.');
    await chat.page.reload();
    await chat.shows('Stopped.');
  });

  it('says that the server cannot be reached, and keeps the message for another try', async () => {
    model.push('Back again.');
    const chat = await demo.logIn('alice', {}, line.address);
    line.cut();
    await chat.ask('anybody?');
    await chat.shows('The server cannot be reached.');
    line.restore();
    await chat.page.getByRole('button', { name: 'Retry' }).click();
    await chat.shows('Back again.');
  });
});

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
