import { h, render } from 'preact';
import type { HeaderRefresh, HeaderSource } from '../../public/agent-chat.mjs';
import { jsonAttribute } from '../json-attribute';
import { StyledElement } from '../styled.element';
import { Credentials } from '../wire';
import styles from './styles/workbench.css?inline';
import { type OwnWords, workbenchWords } from './texts';
import { App } from './view/app';
import { WorkbenchApi } from './workbench-api';

/** `<agent-workbench>`: the tools, calls by hand and runs of the logged-in user. */
export class AgentWorkbenchElement extends StyledElement {
  static readonly observedAttributes = ['lang', 'texts'];

  /** Never any: here is no message to keep for after a log-in. */
  draft = '';
  private readonly credentials = new Credentials(
    () => ({}),
    (message) => {
      // A page may navigate to its login at once, so the refusal is shown before.
      const refused = new CustomEvent('agent-unauthorized', { detail: { message } });
      setTimeout(() => this.dispatchEvent(refused), 0);
    },
  );
  private readonly api = new WorkbenchApi(
    () => this.getAttribute('endpoint') ?? '/agent',
    this.credentials,
  );

  private ownTexts: OwnWords = {};

  constructor() {
    super(styles);
  }

  get headers(): HeaderSource {
    return this.credentials.source;
  }
  set headers(value: HeaderSource | undefined) {
    this.credentials.source = value;
    this.draw();
  }

  get refresh(): HeaderRefresh | undefined {
    return this.credentials.refresh;
  }
  set refresh(value: HeaderRefresh | undefined) {
    this.credentials.refresh = value;
  }

  get texts(): OwnWords {
    return this.ownTexts;
  }
  set texts(value: OwnWords) {
    this.ownTexts = value;
    this.drawSoon();
  }

  attributeChangedCallback(name: string, _before: string | null, after: string | null): void {
    if (name === 'texts') {
      this.ownTexts = jsonAttribute('agent-workbench', name, after) as OwnWords;
    }
    this.drawSoon();
  }

  connectedCallback(): void {
    this.takeOver('headers', 'refresh', 'texts');
    this.drawSoon();
  }

  disconnectedCallback(): void {
    if (this.shadowRoot) render(null, this.shadowRoot);
  }

  /** The page sets headers and refresh in the same task. */
  private drawSoon(): void {
    queueMicrotask(() => this.draw());
  }

  private draw(): void {
    if (!this.isConnected || !this.shadowRoot) return;
    const heading = this.getAttribute('heading') ?? '';
    const { version } = this.credentials;
    const words = workbenchWords(this.isSpoken, this.ownTexts);
    const isOfPage = Object.keys(this.ownTexts).length > 0;
    render(h(App, { key: version, api: this.api, heading, words, isOfPage }), this.shadowRoot);
  }
}
