import { ScriptedModel } from 'nestjs-agent/testing';
import { useDemo } from './support/demo-browser';

describe('the chat whose server is not the agent', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  const UNREADABLE = /gave an answer that this chat cannot read/;

  it.each(['/tools', '/sessions', '/messages'])('says so of %s wrapped in data', async (path) => {
    const chat = await demo.logIn('alice');
    model.push('Noted.');
    await chat.ask('hello');
    await chat.page.route(`**${path}*`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { data: (await response.json()) as unknown } });
    });
    if (path === '/sessions') {
      await chat.history.click();
    } else {
      await chat.page.reload();
    }
    await chat.page.getByRole('alert').getByText(UNREADABLE).waitFor();
    await chat.message.fill('still usable');
    expect(await chat.button('Send').isEnabled()).toBe(true);
  });

  it.each([
    ['a page of HTML', { contentType: 'text/html', body: '<h1>Log in</h1>' }],
    ['plain JSON', { json: { data: { message: 'hello' } } }],
    ['an empty stream', { contentType: 'text/event-stream', body: '' }],
    ['events of another kind', { contentType: 'text/event-stream', body: 'data: {"data":{}}\n\n' }],
  ])('says so of %s in the place of an answer', async (_what, answer) => {
    const chat = await demo.logIn('alice');
    await chat.page.route('**/chat/stream', (route) => route.fulfill(answer));
    await chat.ask('hello');
    await chat.log.getByRole('alert').getByText(UNREADABLE).waitFor();
  });
});
