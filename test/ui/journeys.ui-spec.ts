import { logIn } from './support/chat-page';
import { useDemo } from './support/demo-browser';

describe('the demo in a browser', () => {
  const demo = useDemo();

  it('lets alice ask, and shows the tool that ran', async () => {
    const chat = await demo.logIn('alice');
    await chat.page.getByRole('img', { name: 'Connected, model offline' }).waitFor();
    await chat.page.getByText('This is the offline model').waitFor();
    await chat.ask('what applications do I have');

    const card = chat.card('List applications');
    expect(await card.innerText()).toMatch(/Done\s+\d+(\.\d)? m?s/);
    await card.locator('summary').click();
    expect(await card.getByRole('group', { name: 'Result' }).innerText()).toContain('demo-app');
    expect(await chat.text()).toMatch(/demo-app[^]*test-service/);
    expect(await chat.text()).toMatch(/[\d,]+ tokens \([\d,]+ in, [\d,]+ out\)/);
  });

  it('keeps what was being written over a reload, and for no one who logs in later', async () => {
    const chat = await demo.logIn('alice');
    const { page } = chat;
    const isWritten = chat.message.and(page.locator(':not(:placeholder-shown)'));
    await chat.message.fill('half a mess');
    await page.reload();
    await isWritten.waitFor();
    expect(await chat.message.inputValue()).toBe('half a mess');
    await page.goto('/login');
    await logIn(page, 'bob', 'bob-secret');
    await page.getByRole('img', { name: 'Connected, model offline' }).waitFor();
    expect(await chat.message.inputValue()).toBe('');
    await page.goBack();
    await page.goForward();
    await page.getByRole('img', { name: 'Connected, model offline' }).waitFor();
    expect(await chat.message.inputValue()).toBe('');
  });

  it('refuses alice a delete that she approved, as the route does', async () => {
    const chat = await demo.logIn('alice');
    await chat.ask('delete the application demo-app');
    await chat.button('Approve').click();
    await chat.endsAs('Delete application', 'Failed');
    await chat.idle();

    expect(await chat.card('Delete application').innerText()).toMatch(/role admin/);
    await chat.ask('what applications do I have');
    await chat.shows(/demo-app/);
  });

  it('lets bob edit the arguments before he approves a delete', async () => {
    const chat = await demo.logIn('bob');
    await chat.ask('delete the application billing-worker');
    const card = chat.card('Delete application');
    expect(await card.getByText('Always for this tool').count()).toBe(0);
    await card.getByLabel('name').fill('legacy-reports');
    await card.getByText('Edited').waitFor();
    await chat.button('Approve').click();
    await chat.endsAs('Delete application', 'Done');
    await chat.idle();

    await chat.ask('what applications do I have');
    const text = await chat.text();
    const list = text.slice(text.lastIndexOf('what applications'));
    expect(list).toContain('billing-worker');
    expect(list).not.toContain('legacy-reports');
  });

  it('keeps an approval open where the edited arguments are wrong', async () => {
    const chat = await demo.logIn('alice');
    await chat.ask('deploy version 3.0.0 of demo-app');
    const card = chat.card('Deploy application');
    await card.getByLabel('name').fill('test-service');
    await card.getByLabel('version').fill('');
    await chat.button('Approve').click();
    await card.getByRole('alert').waitFor();
    expect(await card.getByLabel('name').inputValue()).toBe('test-service');
    await card.getByLabel('version').fill('3.0.1');
    await chat.button('Approve').click();
    await chat.endsAs('Deploy application', 'Done');
    await card.locator('summary').click();

    expect(await card.getByRole('group', { name: 'Arguments' }).innerText()).toContain('3.0.1');
  });

  it.each(['a reload', 'opening the session without its run'])(
    'asks again after %s, also where another tab began the last run',
    async (how) => {
      const chat = await demo.logIn('bob');
      await chat.ask('what applications do I have');
      const before = chat.page.url();
      await chat.ask('delete the application api-gateway');
      await chat.button('Approve').waitFor();
      // The address of a tab that missed the last run.
      await chat.page.evaluate(`history.replaceState(null, '', ${JSON.stringify(before)})`);
      if (how === 'a reload') await chat.page.reload();
      else {
        await chat.page.evaluate(`(async () => {
          const chat = document.querySelector('agent-chat');
          const { session } = chat;
          chat.newSession();
          await chat.openSession(session);
        })()`);
      }
      await chat.button('Reject').click();
      await chat.endsAs('Delete application', 'Declined');
    },
  );

  it('runs nothing that was rejected', async () => {
    const chat = await demo.logIn('bob');
    await chat.ask('delete the application api-gateway');
    await chat.button('Reject').click();
    await chat.endsAs('Delete application', 'Declined');
    await chat.idle();
    await chat.ask('what applications do I have');

    // The question names it as well: only the text after it proves anything.
    await chat.endsAs('List applications', 'Done');
    await chat.idle();
    expect((await chat.text()).split('what applications do I have').at(-1)).toContain(
      'api-gateway',
    );
  });

  it('remembers an approval for the session where it is asked to', async () => {
    const chat = await demo.logIn('alice');
    await chat.ask('deploy version 4.0.0 of test-service');
    await chat.page.getByLabel('Always for this tool, in this session').check();
    await chat.button('Approve').click();
    await chat.endsAs('Deploy application', 'Done');
    await chat.idle();
    await chat.ask('deploy version 4.1.0 of test-service');

    expect(await chat.card('Deploy application').getByText('Done', { exact: true }).count()).toBe(
      2,
    );
    expect(await chat.button('Approve').count()).toBe(0);
  });

  it('lists past sessions, opens one, and deletes one', async () => {
    const chat = await demo.logIn('bob');
    await chat.ask('list the resources');
    await chat.button('New session').click();
    await chat.page.getByRole('heading', { name: 'How can I help?' }).waitFor();
    await chat.history.click();
    const panel = chat.panel;
    await panel.getByRole('button', { name: /^list the resources/ }).click();
    await chat.shows('list the resources');
    await chat.card('List resources').waitFor();

    await chat.history.click();
    await panel.getByRole('button', { name: 'Delete session: list the resources' }).click();
    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    await chat.page.getByRole('heading', { name: 'How can I help?' }).waitFor();
    expect(await panel.getByRole('button', { name: /^list the resources/ }).count()).toBe(0);
  });

  it('suggests what the tools can do', async () => {
    const chat = await demo.logIn('alice');
    await chat.page
      .getByRole('button', { name: 'Show one application by its name: demo-app' })
      .click();
    expect(await chat.message.inputValue()).toBe('Show one application by its name: demo-app');
    await chat.button('Send').click();
    await chat.endsAs('Get application', 'Done');
  });

  it('sends who is not logged in to the log-in, and back', async () => {
    const page = await demo.open();
    await page.goto('/agent/ui');
    await page.waitForURL(/\/login\?return=/);
    await logIn(page, 'alice', 'wrong');
    await page.getByText('Wrong user name or password.').waitFor();
    await logIn(page, 'alice');
    await page.waitForURL(/\/agent\/ui$/);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });

  it.each(['https://example.com/', '//example.com/', '/.//example.com/'])(
    'never goes to another server after the log-in: %s',
    async (target) => {
      const page = await demo.open();
      await page.goto(`/login?return=${encodeURIComponent(target)}`);
      const left = page.waitForURL((url) => url.pathname !== '/login');
      await logIn(page, 'alice');
      await left;
      expect(new URL(page.url()).origin).toBe(demo.address);
    },
  );

  it('links every page from the first', async () => {
    const page = await demo.open();
    await page.goto('/');
    const links = await page.getByRole('navigation').getByRole('link').all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(targets).toEqual([
      '/agent/ui',
      '/platform',
      '/agent/ui/sidebar',
      '/guide/ui',
      '/operations/ui',
      '/docs',
    ]);
    for (const target of targets) {
      expect((await page.request.get(target ?? '')).status()).toBe(200);
    }
  });
});
