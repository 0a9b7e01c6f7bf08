import { ScriptedModel } from 'nestjs-agent/testing';
import { ChatPage } from './support/chat-page';
import { useReactPages } from './support/react-browser';

describe('<agent-chat> in React', () => {
  const model = new ScriptedModel([]);
  const app = useReactPages(model);

  it('speaks as the user, tells its session, and has a tool of the page', async () => {
    model.push({ toolCalls: [{ name: 'page_title', input: {} }] }, 'It is the element.');
    const page = await app.logIn('/element.html', 'alice');
    const chat = new ChatPage(page);
    await chat.ask('Which page?');
    await chat.shows('It is the element.');

    const thread = new URL(page.url()).searchParams.get('thread') ?? '';
    expect(thread).toMatch(/^ses_/);
    await page.locator('output').getByText(thread).waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('The element');
  });
});
