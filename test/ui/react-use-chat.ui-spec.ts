import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import { useLine } from './support/breakable-line';
import { useReactPages } from './support/react-browser';
import { journeys } from './support/react-journeys';
import { PlainChat } from './support/react-chat';
import { FINISH, text } from './support/script';

describe('useChat', () => {
  journeys({
    path: '/use-chat.html',
    title: 'useChat',
    edits: false,
    replays: true,
    remakes: true,
    chatOf: (page) => new PlainChat(page),
  });
});

describe('useChat over a lost connection', () => {
  const model = new ScriptedModel([]);
  const app = useReactPages(model);
  const line = useLine(app);

  const begun = (pause: Barrier) => [
    text('Wait.'),
    { type: 'tool_use.delta', id: 'c', name: 'add', delta: '{"a": 2' } as const,
    pause,
    { type: 'tool_use', id: 'c', name: 'add', input: { a: 2, b: 3 } } as const,
    { ...FINISH, reason: 'tool_use' } as const,
  ];
  /** A page that lost its connection while a call was shown. */
  const lost = async (): Promise<PlainChat> => {
    const chat = new PlainChat(await app.logIn('/use-chat.html', 'alice', {}, line.address));
    await chat.say('what is it?');
    await chat.card('add').waitFor();
    line.cut();
    await chat.page.getByRole('alert').waitFor();
    return chat;
  };
  const showsTheEnd = async (chat: PlainChat): Promise<void> => {
    await chat.shows('It is five.');
    await chat.endsAs('add', 'Done');
    await chat.idle();
    expect(await chat.count('Wait.')).toBe(1);
    expect(await chat.card('add').count()).toBe(1);
    expect(await chat.page.getByRole('alert').count()).toBe(0);
  };

  it('shows how the run ended meanwhile', async () => {
    const pause = new Barrier();
    model.push(begun(pause), 'It is five.');
    const chat = await lost();
    pause.open();
    const thread = new URL(chat.page.url()).searchParams.get('thread');
    const rest = await fetch(`${app.address}/agent/ai-sdk/${thread}/stream`, {
      headers: { authorization: 'Bearer alice' },
    });
    await rest.text();
    line.restore();
    await showsTheEnd(chat);
  });

  it('lets the user go on where the server refuses to show it', async () => {
    const pause = new Barrier();
    model.push(begun(pause), 'It is five.');
    const chat = await lost();
    const { page } = chat;
    await page.evaluate(`sessionStorage.setItem('token', 'wrong')`);
    const refused = page.waitForResponse((response) => response.status() === 401);
    line.restore();
    expect((await refused).url()).toMatch(/\/messages$/);
    await chat.idle();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await chat.count('Wait.')).toBe(1);
    pause.open();
    await page.evaluate(`sessionStorage.setItem('token', 'alice')`);
    await page.reload();
    await showsTheEnd(chat);
  });

  it('follows a run that still goes on', async () => {
    const pause = new Barrier();
    model.push(begun(pause), 'It is five.');
    const chat = await lost();
    line.restore();
    await chat.page.getByRole('alert').waitFor({ state: 'detached' });
    pause.open();
    await showsTheEnd(chat);
  });
});
