import type { Locator, Page } from 'playwright-core';

/** Runs in the page. */
export const isFocused = (node: { getRootNode(): { activeElement?: unknown } }): boolean =>
  node.getRootNode().activeElement === node;

/** Fills the log-in form of the demo in. */
export async function logIn(page: Page, user: string, password = `${user}-secret`): Promise<void> {
  await page.getByLabel('User').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** The chat as a user sees it: its parts are found by their accessible names. */
export class ChatPage {
  readonly log: Locator;
  readonly message: Locator;
  readonly regenerate: Locator;
  /** Opens and closes the list of past sessions. */
  readonly history: Locator;
  /** The list of past sessions. */
  readonly panel: Locator;

  constructor(readonly page: Page) {
    this.log = page.getByRole('log');
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
    this.regenerate = page.getByRole('button', { name: 'Regenerate', exact: true });
    this.history = page.getByRole('button', { name: 'Past sessions', exact: true });
    this.panel = page.getByRole('region', { name: 'Past sessions' });
  }

  button(name: 'Send' | 'Stop' | 'New session' | 'Approve' | 'Reject'): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Says something without waiting for the answer. */
  async say(text: string): Promise<void> {
    const turns = this.log.locator('.turn');
    const count = await turns.count();
    await this.message.fill(text);
    await this.button('Send').click();
    await turns.nth(count).waitFor();
  }

  /** Says something and waits until the agent is done with it. */
  async ask(text: string): Promise<void> {
    await this.say(text);
    await this.idle();
  }

  async idle(): Promise<void> {
    await this.button('Send').waitFor();
  }

  /** Waits for text in the conversation. */
  async shows(text: string | RegExp): Promise<void> {
    await this.log.getByText(text).first().waitFor();
  }

  text(): Promise<string> {
    return this.log.innerText();
  }

  /** The card of a tool call, by the tool's title. */
  card(title: string): Locator {
    return this.log.locator('.tool').filter({ has: this.page.getByText(title, { exact: true }) });
  }

  /** Waits until a tool's card says how its call ended. */
  async endsAs(title: string, state: 'Done' | 'Failed' | 'Declined' | 'Expired'): Promise<void> {
    await this.card(title)
      .locator('.tool-state')
      .getByText(state, { exact: true })
      .first()
      .waitFor();
  }
}
