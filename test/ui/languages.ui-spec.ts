import { ScriptedModel } from 'nestjs-agent/testing';
import { useDemo } from './support/demo-browser';
import { deploy } from './support/script';
import { violations } from './support/violations';

describe('the language of the chat', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('is that of the page, and changes with the attribute', async () => {
    const { page } = await demo.logIn('bob');
    await page.evaluate(`document.querySelector('agent-chat').lang = 'de-CH'`);
    model.push(deploy('2.0.0'), {
      text: 'Fertig.',
      usage: { inputTokens: 1_200, outputTokens: 34, totalTokens: 1_234 },
    });
    await page.getByRole('textbox', { name: 'Nachricht', exact: true }).fill('los');
    await page.getByRole('button', { name: 'Senden' }).click();
    const form = page.getByRole('form', {
      name: 'Der Assistent möchte Deploy application ausführen.',
    });
    await form.getByRole('button', { name: 'Erlauben' }).click();
    await page.getByText(/^1\.\d{3} Token \(/).waitFor();
    expect(await violations(page)).toEqual([]);

    await page.evaluate(`document.querySelector('agent-chat').lang = 'en'`);
    await page.getByText(/^1,\d{3} tokens \(/).waitFor();
    await page.getByRole('button', { name: 'Regenerate', exact: true }).waitFor();
  });

  it.each([1200, 320])('may be one from right to left, %i pixels wide', async (width) => {
    const { page } = await demo.logIn('bob', { viewport: { width, height: 800 } });
    await page.evaluate(`
      document.documentElement.dir = 'rtl';
      document.documentElement.lang = 'he';
      document.querySelector('agent-chat').texts =
        { send: 'שליחה', message: 'הודעה', pastSessions: 'שיחות קודמות' };
    `);
    model.push('שלום, `npm ci` מוכן.');
    await page.getByRole('textbox', { name: 'הודעה', exact: true }).fill('שלום');
    await page.getByRole('button', { name: 'שליחה' }).click();
    await page.getByText('מוכן').waitFor();
    const send = await page.getByRole('button', { name: 'שליחה' }).boundingBox();
    expect(send?.x).toBeLessThan(width / 2);
    await page.getByRole('button', { name: 'שיחות קודמות' }).click();
    await page.getByRole('region', { name: 'שיחות קודמות' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});
