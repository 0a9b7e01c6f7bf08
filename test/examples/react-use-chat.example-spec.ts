import { inBrowser } from './support/browser';
import { Example } from './support/example';

describe('the example react-use-chat', () => {
  let example: Example;
  beforeAll(async () => {
    example = await Example.start('react-use-chat');
  });
  afterAll(() => example?.stop());

  it('answers in its page, and asks before it cancels', () =>
    inBrowser(async (page) => {
      const say = async (message: string) => {
        await page.getByLabel('Message').fill(message);
        await page.getByRole('button', { name: 'Send' }).click();
      };
      await page.goto(example.address);
      await say('get order 18');
      await page.getByText('Here is what get order says:').waitFor();
      await say('cancel order 18');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Order 18 is cancelled.').waitFor();
    }));
});
