import { ScriptedModel } from 'nestjs-agent/testing';
import { useDemo } from './support/demo-browser';

describe('a guard of the application that knows an EventSource by its accept header', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('takes a message of the page for an ordinary request, whose errors are JSON', async () => {
    const chat = await demo.logIn('alice');
    model.push('Noted.');
    await chat.page.route('**/chat/stream', async (route) => {
      const isEventSource = (await route.request().headerValue('accept')) === 'text/event-stream';
      await (isEventSource ? route.fulfill({ status: 401, json: {} }) : route.continue());
    });
    await chat.ask('hello');
    await chat.log.getByText('Noted.').waitFor();
  });
});
