import { writeFileSync } from 'node:fs';
import { Barrier } from 'nestjs-agent/testing';
import { removed } from '../http/agent-app';
import { during } from './support/app-browser';
import { big, EVIL, model, orders, writeEvals, YAML } from './support/workbench-app';
import { WorkbenchBrowser } from './support/workbench-browser';

/** Backtracking in this expression takes practically forever. */
const SLOW = '^(a+)+$';

describe('evaluating in the workbench', () => {
  const shop = during(new WorkbenchBrowser());

  it('runs the cases as its user after asking, and names what was called instead', async () => {
    removed.length = 0;
    writeEvals({
      as: 'root',
      cases: [
        { message: 'Which orders?', calls: [{ name: 'list_orders', input: {} }], answer: 'sent' },
        { name: EVIL, message: EVIL, calls: [{ name: 'find_books' }] },
        { name: 'deletes', message: 'x', calls: [{ name: 'remove_file' }], approvals: 'approve' },
      ],
    });
    const before = model.requests.length;
    const { page, tab } = await shop.as('fay');
    await tab('Evaluate').click();
    // A case that approves writes waits until it is chosen.
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('heading', { name: 'Tools run for real' }).waitFor();
    await page.getByText(/All tools that may write ask first/).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    expect(model.requests).toHaveLength(before);
    model.push({ toolCalls: [{ name: 'list_orders' }] }, 'It was sent.', {
      toolCalls: [{ name: 'remove_file', input: { name: EVIL } }],
    });
    await page.getByLabel('Attempts at a time').fill('1');
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 1 failed, 0 left out').waitFor();
    await page.getByText(/^find_books was not called; called instead: remove_file/).waitFor();
    await page.getByText(/cost 0\.0\d+/).waitFor();
    expect(removed).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.getByRole('button', { name: 'Open the run of: root: Which orders?' }).click();
    await page.getByRole('article', { name: 'Which orders?' }).waitFor();
    // Runs belong to this user, whichever user the cases are written for.
    for (const name of ['dan', 'root']) {
      const other = await shop.as(name);
      await other.tab('Runs').click();
      await other.page.getByText('No runs of yours were found.').waitFor();
    }
  });

  it('ends a regular expression that would never end, and goes on', async () => {
    const hello = { message: 'Hi', answer: { $matches: SLOW } };
    writeEvals({ cases: [hello, { name: 'fine', message: 'Hi', answer: { $matches: '^a+!$' } }] });
    model.push(`${'a'.repeat(40)}!`, `${'a'.repeat(40)}!`);
    const { page, tab } = await shop.as('gus');
    await tab('Evaluate').click();
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 1 failed, 0 left out').waitFor();
    await page.getByText(/takes longer than 1000 ms/).waitFor();
  });

  it('cancels an evaluation, and its run', async () => {
    writeEvals({ cases: ['one', 'two'].map((message) => ({ message, calls: [] })) });
    const gate = new Barrier();
    model.push([gate]);
    const { page, tab } = await shop.as('hal');
    await tab('Evaluate').click();
    await page.getByLabel('Attempts at a time').fill('1');
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await gate.reached;
    await page.getByText('0 of 2 attempts').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('0 passed, 1 failed, 1 left out').waitFor();
    gate.open();
    await tab('Runs').click();
    await page.getByRole('button', { name: /^one.*cancelled/ }).waitFor();
  });

  it('asks the model that is chosen, and says which', async () => {
    writeEvals({ cases: [{ message: 'Who are you?', answer: 'big' }] });
    const [asked, before] = [model.requests.length, big.requests.length];
    big.push('I am big.');
    const { page, tab } = await shop.as('ivy');
    await tab('Evaluate').click();
    const choice = page.getByRole('combobox', { name: 'Model' });
    await choice.waitFor();
    expect(await choice.locator('option').allInnerTexts()).toEqual(['scripted (default)', 'big']);
    await choice.selectOption('big');
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 0 failed, 0 left out').waitFor();
    expect([model.requests.length, big.requests.length]).toEqual([asked, before + 1]);
    // The results of the last run do not follow the new selection.
    await choice.selectOption('');
    await page.getByText(/big-model · \d+ tokens/).waitFor();
    model.push('I am not.');
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByText('0 passed, 1 failed, 0 left out').waitFor();
    await page.getByText(/scripted · \d+ tokens/).waitFor();
    await page.getByRole('button', { name: /^Open the run of/ }).click();
    await page.getByText(/ · scripted · completed/).waitFor();
  });

  it('runs cases that approve calls with the tick alone', async () => {
    removed.length = 0;
    const removes = (name: string, more: object) => ({
      name,
      message: 'x',
      calls: [{ name: 'remove_file', asks: true }],
      ...more,
    });
    writeEvals({
      cases: [removes('leaves it', {}), removes('removes it', { approvals: 'approve' })],
    });
    const call = (name: string) => ({ toolCalls: [{ name: 'remove_file', input: { name } }] });
    const { page, tab } = await shop.as('joe');
    await tab('Evaluate').click();
    await page.getByLabel('Attempts at a time').fill('1');
    model.push(call('one.txt'));
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 0 failed, 0 left out').waitFor();
    expect(removed).toEqual([]);
    await page.getByLabel(/^Run cases that approve calls too \(1\)/).check();
    model.push(call('two.txt'), call('three.txt'), 'It is gone.');
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByText('2 passed, 0 failed, 0 left out').waitFor();
    expect(removed).toEqual(['three.txt']);
  });

  it('runs the cases of a further agent, in YAML; one without a file says so', async () => {
    writeFileSync(
      YAML,
      `cases:
  - message: Which orders?
    calls:
      - name: list_orders
        input: {}
    answer: { $matches: 'sent|paid' }
`,
    );
    orders.push({ toolCalls: [{ name: 'list_orders' }] }, 'It was sent.');
    const { page, tab } = await shop.as('kim', {}, 'orders');
    await tab('Evaluate').click();
    await page.getByText('Cases of orders.evals.yaml').waitFor();
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 0 failed, 0 left out').waitFor();
    const none = await shop.as('kim', {}, 'till');
    await none.tab('Evaluate').click();
    await none.page.getByText(/No file of cases is configured/).waitFor();
  });

  it('says what is wrong with the file', async () => {
    writeEvals('{ "cases": [{ "mesage": "Hi" }] }');
    const { page, tab } = await shop.as('alice');
    await tab('Evaluate').click();
    await page.getByText(/mesage is no option; did you mean message/).waitFor();
  });
});
