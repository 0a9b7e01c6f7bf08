import { Barrier } from 'nestjs-agent/testing';
import { during } from './support/app-browser';
import { model, orders } from './support/workbench-app';
import { WorkbenchBrowser } from './support/workbench-browser';

describe('the runs in the workbench', () => {
  const shop = during(new WorkbenchBrowser());

  it('shows runs, their requests and tests, one beside another; to their owner alone', async () => {
    await shop.converse('carol', 'Where is my order?');
    await shop.converse('carol', 'And the other one?');
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, tab } = await shop.as('carol', { permissions });
    await tab('Runs').click();
    await page.getByRole('button', { name: /^Where is my order/ }).click();
    const run = page.getByRole('article', { name: 'Where is my order?' });
    await run
      .getByText(/first token after/)
      .first()
      .waitFor();
    await run
      .getByText(/cost 0\.0360/)
      .first()
      .waitFor();
    await run.getByText('Waits for approval: remove_file').waitFor();
    await run.getByRole('button', { name: 'Show the request of step 2' }).click();
    await run.getByText('You help the staff of a bookshop.').waitFor();
    await run.getByText(/^Rebuilt\. The messages are from the journal/).waitFor();
    await run.getByRole('button', { name: 'Copy as a test' }).click();
    await run.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`import { ScriptedModel } from 'nestjs-agent/testing';`);
    await run.getByLabel('Find in this run').fill('old.txt is gone');
    expect(await run.locator('.timeline > li').count()).toBe(1);
    await page.getByRole('button', { name: 'Show beside: And the other one?' }).click();
    await page.getByRole('article', { name: 'And the other one?' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    await page.getByLabel('Search your runs').fill('the other');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page
      .getByRole('button', { name: /^Where is my order.*completed/ })
      .waitFor({ state: 'detached' });

    const others = await shop.as('dave');
    await others.tab('Runs').click();
    await others.page.getByText('No runs of yours were found.').waitFor();
    const session = /runs\/([^:%]+)/.exec(page.url())?.[1] ?? '';
    await others.page.getByLabel('Session id').fill(session);
    await others.page.getByRole('button', { name: 'Open' }).click();
    await others.page
      .getByText(/session/i)
      .last()
      .waitFor();
    expect(await others.page.getByRole('article').count()).toBe(0);
  });

  it('shows tokens from the cache, and older runs page by page', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 5, totalTokens: 1_005 };
    model.push({ text: 'Hello.', usage: { ...usage, cachedInputTokens: 800 } });
    await shop.ask('mia', 'chat', { message: 'The oldest' });
    for (let number = 1; number <= 20; number++) {
      model.push('Hello.');
      await shop.ask('mia', 'chat', { message: `Newer ${number}` });
    }
    const { page, tab } = await shop.as('mia');
    await tab('Runs').click();
    const older = page.getByRole('button', { name: 'Older runs' });
    const rows = page.getByRole('button', { name: /^(Newer|The oldest)/ });
    await older.waitFor();
    expect(await rows.count()).toBe(20);
    await older.click();
    await page.getByRole('button', { name: /^The oldest/ }).click();
    await older.waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(21);
    const run = page.getByRole('article', { name: 'The oldest' });
    await run.getByText('1,000 → 5 tokens · 800 cached').first().waitFor();
    // Older sessions are not searched yet, so nothing says that there are none.
    await page.getByLabel('Search your runs').fill('The oldest');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await older.waitFor();
    expect(await page.getByText('No runs of yours were found.').count()).toBe(0);
    await older.click();
    await page.getByRole('button', { name: /^The oldest/ }).waitFor();
    expect(await rows.count()).toBe(1);
  });

  it('shows the runs of the last search, whichever answer comes last', async () => {
    for (const message of ['Of apples', 'Of pears']) {
      model.push('Hello.');
      await shop.ask('nina', 'chat', { message });
    }
    const { page, tab } = await shop.as('nina');
    const late = new Barrier();
    await page.route('**/workbench/runs?search=apples*', async (route) => {
      const response = await route.fetch();
      await late.pass();
      await route.fulfill({ response });
    });
    await tab('Runs').click();
    const rows = page.getByRole('button', { name: /^Of / });
    const search = async (text: string): Promise<void> => {
      await page.getByLabel('Search your runs').fill(text);
      await page.getByRole('button', { name: 'Search', exact: true }).click();
    };
    await rows.nth(1).waitFor();
    const asked = page.waitForRequest('**/workbench/runs?search=apples*');
    await search('apples');
    const answered = (await asked).response();
    await search('pears');
    await rows.nth(1).waitFor({ state: 'detached' });
    late.open();
    await (await answered)?.finished();
    const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    await page.evaluate(drawn);
    expect(await rows.first().textContent()).toContain('Of pears');
  });

  it('searches for the same text again, after a failure too', async () => {
    const { page, tab } = await shop.as('olga');
    await tab('Runs').click();
    await page.getByText('No runs of yours were found.').waitFor();
    model.push('Hello.');
    await shop.ask('olga', 'chat', { message: 'Of plums' });
    await page.route('**/workbench/runs?*', (route) => route.abort(), { times: 1 });
    const search = page.getByRole('button', { name: 'Search', exact: true });
    await search.click();
    await page.getByText('The server cannot be reached.').waitFor();
    await search.click();
    await page.getByRole('button', { name: /^Of plums/ }).waitFor();
  });

  it('offers older runs also after a search that failed', async () => {
    for (let number = 1; number <= 21; number++) {
      model.push('Hello.');
      await shop.ask('rosa', 'chat', { message: `Question ${number}` });
    }
    const { page, tab } = await shop.as('rosa');
    await tab('Runs').click();
    const older = page.getByRole('button', { name: 'Older runs' });
    await older.waitFor();
    await page.route('**/workbench/runs?*', (route) => route.abort(), { times: 1 });
    await page.getByLabel('Search your runs').fill('nothing like it');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await older.click();
    await page.getByRole('button', { name: /^Question 1 / }).waitFor();
  });

  it('says that a session has no such run', async () => {
    model.push('Hello.');
    const { sessionId } = await shop.ask('sue', 'chat', { message: 'Hello' });
    const { page, tab } = await shop.as('sue');
    await tab('Runs').click();
    await page.getByLabel('Session id').fill(`${sessionId}:run_of_another`);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('No runs of yours were found.').waitFor();
  });

  it('shows what an asked agent did, and a run that was replaced', async () => {
    model.push(
      { toolCalls: [{ name: 'ask_orders', input: { message: 'Is it sent?' } }] },
      'Orders says yes.',
    );
    orders.push({ toolCalls: [{ name: 'list_orders' }] }, 'Yes, it is sent.');
    const { sessionId, runId } = await shop.ask('lea', 'chat', { message: 'Ask them' });
    model.push('Never mind.');
    await shop.ask('lea', 'chat', { sessionId, message: 'Do not ask', replaceRun: runId });
    const { page, tab } = await shop.as('lea');
    await tab('Runs').click();
    await page.getByRole('button', { name: /^Do not ask(?!.*taken back)/ }).waitFor();
    await page.getByRole('button', { name: /^Ask them.*taken back/ }).click();
    const run = page.getByRole('article', { name: 'Ask them' });
    await run.getByText(/ · taken back/).waitFor();
    await run.locator('summary').getByText('Asked agent').first().click();
    const told = run.getByRole('group', { name: 'Asked agent' }).first();
    await told.getByText('list_orders').first().waitFor();
    await run
      .getByText(/orders-model · .* tokens .*cost/)
      .first()
      .waitFor();
  });
});
