import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import { type ChatPage, isFocused } from './support/chat-page';
import { useDemo } from './support/demo-browser';
import { answerWith, FINISH, text } from './support/script';
import { violations } from './support/violations';

const ask = (message: string, name = 'ask_operations') => ({
  toolCalls: [{ name, input: { message } }],
});
const DEPLOY = {
  text: 'I look at it first.',
  toolCalls: [{ name: 'deploy_application', input: { name: 'demo-app', version: '3.0.0' } }],
};

describe('an asked agent, on the page', () => {
  // The demo's agents share a model: it answers for the asking and the asked agent in turn.
  const model = new ScriptedModel([]);
  const demo = useDemo(model);
  const asked = (chat: ChatPage) => chat.log.getByRole('group', { name: /the agent “Operations”/ });
  const answers = (chat: ChatPage) => chat.log.locator('.turn.agent > .markdown');
  const outer = (chat: ChatPage) => chat.card('Ask operations').first();

  it('stands folded under its call, and its approval beside it', async () => {
    const chat = await demo.logIn('bob');
    model.push(ask('Deploy demo-app 3.0.0'), DEPLOY);
    await chat.ask('get it deployed');
    const card = outer(chat);
    // Collapsed, the card shows the asked agent, the question, and that it waits for the user.
    await card.locator('.tool-question').getByText('Deploy demo-app 3.0.0').waitFor();
    await chat.page
      .getByRole('status')
      .getByText('Operations: Deploy application waits for your approval.')
      .waitFor();
    expect(await asked(chat).isVisible()).toBe(false);
    const form = chat.page.getByRole('group', {
      name: /agent “Operations” wants to run Deploy application/,
    });
    expect(await form.count()).toBe(1);
    expect(await card.locator('summary').first().innerText()).toContain('Waits for you');

    // By the keyboard: open, see the agent's own words and call, and close.
    const summary = card.locator('summary').first();
    await summary.focus();
    await chat.page.keyboard.press('Enter');
    await asked(chat).getByText('I look at it first.').waitFor();
    expect(await asked(chat).locator('.tool-state').innerText()).toBe('Waits for you');
    expect(await form.isVisible()).toBe(true);
    await chat.page.keyboard.press('Enter');
    expect(await asked(chat).isVisible()).toBe(false);

    model.push('Version 3.0.0 runs.', 'It is done.');
    await chat.button('Approve').focus();
    await chat.page.keyboard.press('Enter');
    await chat.shows('It is done.');
    await chat.idle();
    expect(await summary.evaluate(isFocused)).toBe(true);
    expect(await card.locator('.tool-state').first().innerText()).toBe('Done');
    await summary.click();
    await asked(chat).getByText('Version 3.0.0 runs.').waitFor();
    expect(await asked(chat).locator('.tool-state').innerText()).toBe('Done');
    // The answer is the asking agent's alone.
    expect(await answers(chat).allInnerTexts()).toEqual(['It is done.']);
  });

  it('says that it works, and goes on where it was when the page is loaded again', async () => {
    const middle = new Barrier();
    const chat = await demo.logIn('bob');
    const state = outer(chat).locator('.tool-state').first();
    model.push(ask('Look around'), [text('I look'), middle, text(' around.'), FINISH], 'Well.');
    await chat.say('what is there?');
    await state.getByText('Running', { exact: true }).waitFor();
    await chat.page.getByRole('status').getByText('Running Ask operations.').waitFor();
    await chat.page.reload();
    await state.getByText('Running', { exact: true }).waitFor();
    await outer(chat).locator('summary').first().click();
    await asked(chat).getByText('I look', { exact: true }).waitFor();
    middle.open();
    await chat.shows('Well.');
    await chat.idle();

    await asked(chat).getByText('I look around.', { exact: true }).waitFor();
    expect((await chat.text()).split('I look')).toHaveLength(2);
    expect(await answers(chat).allInnerTexts()).toEqual(['Well.']);
  });

  it('asks for two approvals at once, and after a reload for the one that is left', async () => {
    const chat = await demo.logIn('bob');
    const approve = chat.button('Approve');
    const deploying = (name: string) => ({
      toolCalls: [{ name: 'deploy_application', input: { name, version: '4.0.0' } }],
    });
    const both = ['demo-app', 'test-service'];
    model.push(
      { toolCalls: both.flatMap((name) => ask(`Deploy ${name}`).toolCalls) },
      ...both.map(deploying),
    );
    await chat.ask('deploy both');
    expect(await approve.count()).toBe(2);
    await approve.first().click();
    await approve.nth(1).waitFor({ state: 'detached' });
    await chat.idle();
    await chat.page.reload();
    // While the run is replayed, the answered one may be visible for a moment.
    await approve.first().waitFor();
    await chat.idle();
    expect(await approve.count()).toBe(1);
    expect(await chat.log.getByLabel('name').inputValue()).toBe('test-service');

    model.push('The first is out.', 'The second is out.', 'Both are out.');
    await approve.click();
    await chat.shows('Both are out.');
    expect(await approve.count()).toBe(0);
  });

  it('is the same after a reload while it waits, and an ordinary call after its end', async () => {
    const chat = await demo.logIn('bob');
    model.push(ask('Deploy demo-app 3.1.0'), DEPLOY);
    await chat.ask('deploy');
    const seen = await outer(chat).innerText();
    await chat.page.reload();
    await chat.button('Approve').waitFor();
    await chat.idle();
    expect(await outer(chat).innerText()).toBe(seen);
    await outer(chat).locator('summary').first().click();
    await asked(chat).getByText('I look at it first.').waitFor();

    model.push('Left as it was.', 'It was not deployed.');
    await chat.button('Reject').click();
    await chat.shows('It was not deployed.');
    await chat.idle();
    expect(await asked(chat).locator('.tool-state').innerText()).toBe('Declined');
    await chat.page.reload();
    await chat.shows('It was not deployed.');
    await outer(chat).locator('summary').click();
    await outer(chat).getByRole('group', { name: 'Result' }).getByText('Left as it was.').waitFor();
    expect(await asked(chat).count()).toBe(0);
  });
});

describe.each([
  ['light', 1200],
  ['dark', 360],
] as const)('agents that ask agents in %s, %i pixels wide', (colorScheme, width) => {
  const demo = useDemo(new ScriptedModel([]));
  const inClerk = { agent: 'clerk', parentCallId: 'a' };
  const inArchive = { agent: 'archive', parentCallId: 'b' };
  const call = { type: 'tool.call', kind: 'agent' } as const;
  const found = { callId: 'd', name: 'find_file' };
  const burn = { callId: 'c', name: 'burn_file', input: { name: 'map-of-the-old-town' } };
  const wanted = { ...burn, expiresAt: '2030-01-01T00:00:00.000Z' };
  const question = `Burn the old map, ${'which nobody has asked for in years, '.repeat(6)}please.`;
  const events = [
    { type: 'text.delta', delta: 'I ask the clerk.' },
    { ...call, callId: 'a', name: 'ask_clerk', input: { message: question } },
    { type: 'thinking.delta', delta: 'Who has it?', ...inClerk },
    { type: 'agent.text.delta', delta: 'The **archive** has it.', ...inClerk },
    { ...call, callId: 'b', name: 'ask_archive', input: { message: 'Burn it' }, ...inClerk },
    { ...call, ...found, kind: 'route', input: { name: 'map' }, ...inArchive },
    { type: 'tool.result', ...found, output: '{"shelf":7}', outcome: 'ok', ...inArchive },
    { type: 'agent.text.delta', delta: 'It is on shelf 7.', ...inArchive },
    { ...call, ...burn, kind: 'provider', ...inArchive },
    { type: 'approval.required', ...wanted, reason: 'It destroys.', ...inArchive },
    {
      ...{ type: 'run.finished', status: 'requires_action', stopReason: 'requires_action' },
      ...{ message: '', pendingActions: [{ ...wanted, type: 'approval', agent: 'archive' }] },
    },
  ];

  it('stand in one another, break no rule of axe-core, and fit the screen', async () => {
    const chat = await demo.logIn('bob', { colorScheme, viewport: { width, height: 900 } });
    const { page } = chat;
    await answerWith(page, ...events);
    await chat.ask('burn the map');
    const isFit = async (): Promise<void> => {
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    };
    const form = page.getByRole('group', { name: /agent “Archive” wants to run Burn file/ });
    await form.waitFor();
    await isFit();
    for (const title of ['Ask clerk', 'Ask archive']) {
      await chat.card(title).last().locator('summary').first().click();
    }
    const archive = chat.log.getByRole('group', { name: /the agent “Archive”/ });
    await archive.getByText('It is on shelf 7.').waitFor();
    expect(await form.count()).toBe(1);
    await isFit();
    // Inner parts are no news: the region around them is read out.
    const live = archive.locator('xpath=ancestor-or-self::*[@aria-live][1]');
    expect(await live.getAttribute('aria-live')).toBe('off');
  });
});
