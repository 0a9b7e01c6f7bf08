import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import type { Page, Route } from 'playwright-core';
import { ChatPage, isFocused } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { deploy, FINISH, text } from './support/script';

/** Holds the answers to requests that match until the barrier opens; they reach the server at once. */
async function hold(page: Page, pattern: string | RegExp, until: Barrier): Promise<void> {
  await page.route(pattern, async (route: Route) => {
    const response = await route.fetch();
    await until.pass();
    await route.fulfill({ response });
  });
}

describe('the chat on a slow line', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  const said = (text: string): number =>
    JSON.stringify(model.requests.at(-1)?.messages).split(text).length - 1;
  const reloaded = async (chat: ChatPage): Promise<void> => {
    await chat.page.reload();
    await chat.message.waitFor();
    await chat.page.getByText('Loading…').waitFor();
  };

  it('sends what was written while the conversation was still being loaded', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.', 'Noted too.');
    await chat.ask('the first message');
    const loaded = new Barrier();
    await hold(chat.page, '**/messages', loaded);
    await reloaded(chat);
    await chat.message.fill('the second message');
    await chat.message.press('Enter');
    loaded.open();
    await chat.shows('Noted too.');

    expect(await chat.text()).toMatch(/the first message[^]*Noted\.[^]*the second message/);
    expect(said('the second message')).toBe(1);
    expect(await chat.message.inputValue()).toBe('');
  });

  it('keeps a message back where loading shows an approval that it would decline', async () => {
    const chat = await demo.logIn('alice');
    model.push(deploy('6.0.0'), 'It is out.');
    await chat.ask('deploy it');
    const loaded = new Barrier();
    await hold(chat.page, '**/messages', loaded);
    await reloaded(chat);
    await chat.message.fill('and then?');
    await chat.button('Send').click();
    loaded.open();
    await chat.button('Approve').click();
    await chat.shows('It is out.');

    expect(await chat.message.inputValue()).toBe('and then?');
  });

  it('sends a message to the session that a script opened before', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.', 'Noted too.');
    await chat.ask('the first message');
    await chat.page.evaluate(`(async () => {
      const chat = document.querySelector('agent-chat');
      const { session } = chat;
      chat.newSession();
      chat.session = session;
      await chat.send('the second message');
    })()`);

    expect(await chat.text()).toMatch(/the first message[^]*the second message[^]*Noted too\./);
  });

  it('shows the answer to a message of another tab that ends while its conversation is loaded', async () => {
    const [read, ended, loaded] = [new Barrier(), new Barrier(), new Barrier()];
    model.push('Hello.', [text('First half,'), ended, text(' second half.'), FINISH]);
    const chat = await demo.logIn('alice');
    const { page } = await demo.logIn('alice');
    await chat.ask('hello');
    const address = chat.page.url();
    await chat.say('tell me');
    await chat.shows('First half,');
    await page.route('**/messages', async (route: Route) => {
      const response = await route.fetch();
      read.open();
      await loaded.pass();
      await route.fulfill({ response });
    });
    await page.goto('about:blank');
    await page.goto(address);
    await read.pass();
    ended.open();
    await chat.idle();
    loaded.open();

    await new ChatPage(page).shows('First half, second half.');
  });

  it('loads again where that failed, and sends then', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.', 'Noted too.');
    await chat.ask('the first message');
    await chat.page.route('**/messages', (route) => route.abort());
    await chat.page.reload();
    await chat.page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    expect(await chat.page.getByRole('heading', { name: 'How can I help?' }).count()).toBe(0);
    await chat.page.unroute('**/messages');
    await chat.message.fill('the second message');
    await chat.button('Send').click();
    await chat.shows('Noted too.');

    expect(await chat.text()).toMatch(/the first message[^]*the second message/);
    expect(await chat.page.getByText('The server cannot be reached.').count()).toBe(0);
  });

  it('says no longer that the server cannot be reached once it can, and has its tools', async () => {
    const chat = await demo.logIn('alice');
    const { page } = chat;
    const unreachable = page.getByRole('alert').getByText('The server cannot be reached.');
    await page.clock.install();
    await page.route(/\/agent\/(health|tools|sessions)/, (route) => route.abort());
    await page.reload();
    await unreachable.waitFor();
    await page.unrouteAll();
    await page.clock.fastForward(60_000);
    await page.getByText('Some of what you can ask for').waitFor();
    expect(await unreachable.count()).toBe(0);

    await page.route('**/agent/sessions*', (route) => route.abort());
    await chat.history.click();
    await unreachable.waitFor();
    await page.clock.fastForward(60_000);
    await unreachable.waitFor({ state: 'detached' });
  });

  it('takes the answer to a second approval while the first is on its way, and sends it then', async () => {
    model.push(deploy('1.0.0', 'demo-app', 'test-service'), 'Half of it is out.');
    const chat = await demo.logIn('alice');
    await chat.ask('deploy both');
    const answered = new Barrier();
    await hold(chat.page, '**/actions', answered);
    const order: string[] = [];
    chat.page.on('request', (request) => {
      if (request.url().endsWith('/actions')) order.push('sent');
    });
    await chat.button('Reject').nth(1).click();
    expect(await chat.button('Approve').nth(1).isEnabled()).toBe(false);
    await chat.button('Approve').nth(0).click();
    expect(await chat.button('Approve').and(chat.page.locator(':enabled')).count()).toBe(0);
    order.push('answered');
    answered.open();
    await chat.shows('Half of it is out.');

    expect(order).toEqual(['sent', 'answered', 'sent']);
    await chat.endsAs('Deploy application', 'Done');
    await chat.endsAs('Deploy application', 'Declined');
  });

  it('answers an approval once, however often it is clicked', async () => {
    model.push(deploy('6.1.0'), 'It is out.');
    const chat = await demo.logIn('alice');
    await chat.ask('deploy it');
    let answers = 0;
    chat.page.on('request', (request) => (answers += Number(request.url().endsWith('/actions'))));
    const button = chat.button('Approve');
    await button.evaluate((node: { click(): void }) => {
      node.click();
      node.click();
    });
    await chat.shows('It is out.');

    expect(answers).toBe(1);
  });

  it('does not stop the answer to a message that was sent by a double click', async () => {
    const middle = new Barrier();
    model.push([text('One'), middle, FINISH]);
    const chat = await demo.logIn('alice');
    await chat.message.fill('hello');
    await chat.button('Send').dblclick();
    await chat.shows('One');
    middle.open();
    await chat.idle();

    expect(await chat.text()).not.toContain('Stopped.');
  });

  it('leaves the list of sessions closed that was closed before it came', async () => {
    const chat = await demo.logIn('alice');
    const listed = new Barrier();
    await hold(chat.page, '**/sessions*', listed);
    const panel = chat.panel;
    await chat.history.click();
    await panel.waitFor();
    await chat.button('New session').click();
    await panel.waitFor({ state: 'detached' });
    const came = chat.page.waitForResponse('**/sessions*');
    listed.open();
    await (await came).finished();
    await chat.message.fill('hello');

    expect(await panel.count()).toBe(0);
  });

  it('leaves the cursor where it is when the list of sessions comes', async () => {
    const chat = await demo.logIn('alice');
    const listed = new Barrier();
    await hold(chat.page, '**/sessions*', listed);
    const panel = chat.panel;
    await chat.history.click();
    await panel.waitFor();
    await chat.message.focus();
    listed.open();
    await panel.getByText('Loading…').waitFor({ state: 'detached' });

    expect(await chat.message.evaluate(isFocused)).toBe(true);
  });

  it('still says that a conversation is gone when the tools come later', async () => {
    const { page } = await demo.logIn('alice');
    const loaded = new Barrier();
    await hold(page, '**/agent/tools', loaded);
    // From the page itself it would be a jump within it.
    await page.goto('about:blank');
    await page.goto('/agent/ui#session=none');
    const alert = page.getByRole('alert').getByText('That conversation is no longer there.');
    await alert.waitFor();
    loaded.open();
    await page.getByText('Some of what you can ask for').waitFor();

    expect(await alert.count()).toBe(1);
  });
});
