import type { Locator, Page } from 'playwright-core';

interface Attached {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A chat of apps/react as a user meets it. */
export class ReactChat {
  readonly log: Locator;
  readonly message: Locator;

  constructor(readonly page: Page) {
    this.log = page.getByRole('log');
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
  }

  button(name: 'Send' | 'Stop' | 'Approve' | 'Reject' | 'Regenerate'): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Says something without waiting for the answer. */
  async say(text: string): Promise<void> {
    await this.message.fill(text);
    await this.button('Send').click();
  }

  /** Waits until the agent is done. */
  async idle(): Promise<void> {
    await this.button('Send').waitFor();
  }

  /** Waits for text in the conversation. */
  async shows(text: string | RegExp): Promise<void> {
    await this.log.getByText(text).first().waitFor();
  }

  /** The card of a call of a tool. */
  card(name: string): Locator {
    return this.log.getByRole('region', { name: `Tool ${name}` });
  }

  /** Waits until a tool's card says how its call ended. */
  async endsAs(name: string, state: 'Done' | 'Failed' | 'Declined'): Promise<void> {
    await this.card(name).locator('.state').getByText(state, { exact: true }).first().waitFor();
  }

  /** How often a text stands in the conversation. */
  async count(text: string): Promise<number> {
    return (await this.log.innerText()).split(text).length - 1;
  }

  async attach(file: Attached): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.getByRole('button', { name: 'Add picture' }).click();
    await (await chooser).setFiles(file);
    await this.page.locator('.composer').getByText(file.name).waitFor();
  }
}

/** The chat without a library of components: its pictures have a plain field. */
export class PlainChat extends ReactChat {
  override async attach(file: Attached): Promise<void> {
    await this.page.getByLabel('Pictures').setInputFiles(file);
  }
}
