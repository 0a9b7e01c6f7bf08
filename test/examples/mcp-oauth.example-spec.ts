import { freePort } from '../support/free-port';
import { inBrowser } from './support/browser';
import { Example } from './support/example';
import { describeReadme } from './support/readme';

const login = freePort();
const environment = async () => ({ LOGIN_PORT: String(await login) });

describeReadme(
  'mcp-oauth',
  (example) => {
    it('lets a host register, log its user in, and call a tool as that user', async () => {
      const ports = { ...(await environment()), HOST_PORT: String(await freePort()) };
      const host = Example.run('mcp-oauth', example().port, ['run', 'host'], ports);
      try {
        const [, address = ''] = await host.printed(/log in: (\S+)\n/);
        await inBrowser(async (page) => {
          await page.goto(address);
          await page.locator('[name=login]').fill('ada');
          await page.locator('[name=password]').fill('any');
          await page.getByRole('button').click();
          await page.getByRole('button', { name: 'Continue' }).click();
          await page.getByText('You may close this page.').waitFor();
        });
        const [orders] = await host.printed(/\[\{"type":"text".*\n/);
        expect(orders).toContain('17');
        expect(orders).not.toContain('grace');
      } finally {
        await host.stop();
      }
    });
  },
  environment,
);
