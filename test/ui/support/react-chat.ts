import type { Locator, Page } from 'playwright-core';

type ButtonName = 'Send' | 'Stop' | 'Approve' | 'Reject' | 'Regenerate';

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

  button(name: ButtonName): Locator {
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

/** The chat of CopilotKit, by its own marks. */
export class CopilotChat extends ReactChat {
  override readonly log = this.page.getByTestId('copilot-message-list');
  override readonly message = this.page.getByTestId('copilot-chat-textarea');

  override button(name: ButtonName): Locator {
    if (name === 'Stop') return this.page.getByTestId('copilot-send-button');
    // Each answer has one to regenerate it.
    return name === 'Regenerate' ? super.button(name).last() : super.button(name);
  }

  override async say(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
  }

  override async idle(): Promise<void> {
    await this.page.locator('[data-copilot-running="false"]').waitFor();
  }

  override async attach(file: Attached): Promise<void> {
    await this.page.locator('input[type="file"]').setInputFiles(file);
    await this.page.getByTestId('copilot-attachment-queue').waitFor();
  }
}
