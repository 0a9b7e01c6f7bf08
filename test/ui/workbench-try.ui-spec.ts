import { removed } from '../http/agent-app';
import { during } from './support/app-browser';
import { isFocused } from './support/chat-page';
import { WorkbenchBrowser } from './support/workbench-browser';

describe('trying a tool in the workbench', () => {
  const shop = during(new WorkbenchBrowser());

  it('calls a tool from a form, and as JSON', async () => {
    const bench = await shop.as('alice');
    const result = await bench.try('find_books', { title: 'Nest' });
    await result.getByText('Executed', { exact: true }).waitFor();
    await result.getByRole('group', { name: 'What the model reads' }).getByText('Nest').waitFor();
    await result.getByRole('row', { name: /handler ShopTools\.find_books/ }).waitFor();
    await bench.page.getByLabel('Arguments as JSON').check();
    await bench.page.getByLabel('Arguments', { exact: true }).fill('[1]');
    await bench.button('Call as me').click();
    await bench.page.getByRole('alert').getByText('must be a JSON object').waitFor();
    await bench.page.getByLabel('Arguments', { exact: true }).fill('{"title":7}');
    await bench.button('Call as me').click();
    await result.getByText('invalid_arguments').waitFor();
    await result.getByText('It failed in the stage “checks”.').waitFor();
  });

  it('shows the request of a route, and a guard that refuses', async () => {
    const bench = await shop.as('alice');
    const answered = await bench.try('list_orders');
    await answered.getByRole('group', { name: 'Request' }).getByText('GET /orders').waitFor();
    const refused = await bench.try('open_till');
    await refused.getByText('It failed in the stage “guards”: Closed.').waitFor();
    await refused.getByText('The shop is closed.').first().waitFor();
  });

  it('shows a pipe and a filter that failed, and the request of a route without secrets', async () => {
    const bench = await shop.as('alice');
    const piped = await bench.try('find_shelf', { shelf: '3' });
    await piped.getByText('It failed in the stage “pipes”: EvenPipe.').waitFor();
    await piped.getByText('Only even numbers.').first().waitFor();
    const filtered = await bench.try('brew_tea');
    await filtered.getByRole('row', { name: /filters TeapotFilter/ }).waitFor();
    await filtered.getByText('A teapot now.').first().waitFor();
    const fields = { id: '7', reason: 'torn', pin: '4321' };
    const refund = await bench.try('refund_order', fields);
    await bench.button('Approve').click();
    await refund.getByText('Executed', { exact: true }).waitFor();
    const request = await refund.getByRole('group', { name: 'Request' }).innerText();
    expect(request).toMatch(/^POST \/orders\/7\/refunds\s+\{/);
    expect(JSON.parse(request.slice(request.indexOf('{')))).toEqual({
      reason: 'torn',
      pin: '[redacted]',
      token: '[redacted]',
    });
    await refund.locator('summary').getByText('Arguments as executed').click();
    const sent = refund.getByRole('group', { name: 'Arguments as executed' });
    await sent.getByText('"pin": "[redacted]"').waitFor();
    expect(await refund.innerText()).not.toMatch(/4321|preset-secret|bearer|authorization/i);
  });

  it('waits for an approval', async () => {
    removed.length = 0;
    const bench = await shop.as('alice');
    const result = await bench.try('remove_file', { name: 'a.txt' });
    await result.getByText('Waits for your approval').waitFor();
    expect(removed).toEqual([]);
    await bench.button('Approve').press('Enter');
    await result.getByText('Executed', { exact: true }).waitFor();
    expect(await result.getByRole('heading').evaluate(isFocused)).toBe(true);
    expect(removed).toEqual(['a.txt']);
    await bench.try('remove_file', { name: 'b.txt' });
    await bench.button('Decline').click();
    await result.getByText('Declined', { exact: true }).waitFor();
    expect(removed).toEqual(['a.txt']);
  });
});
