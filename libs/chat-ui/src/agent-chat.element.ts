import { h, render } from 'preact';
import type {
  BrowserTool,
  BrowserToolName,
  HeaderRefresh,
  HeaderSource,
} from '../public/agent-chat.mjs';
import { ReadyMadeTools, ToolBox } from './browser-tools';
import { Conversation, StoredSessions, Surroundings, Toasts } from './conversation';
import { ChatStore } from './state';
import styles from './styles/chat.css?inline';
import { type OwnTexts, textsOf } from './texts';
import { Root } from './view';
import { AgentApi, Credentials } from './wire';
import { parseHeaders, parseTexts, ReflectedElement } from './reflected.element';

/**
 * `<agent-chat>`: the agent's chat, as a page or as a sidebar. It wires the rooms; its public API is
 * documented in `public/agent-chat.d.mts` alone.
 */
export class AgentChatElement extends ReflectedElement {
  static readonly observedAttributes = [
    ...['endpoint', 'session', 'headers', 'mode', 'heading', 'open', 'browser-tools'],
    ...['attachments', 'lang', 'texts'],
  ];

  private readonly store = new ChatStore();
  private readonly box = new ToolBox();
  private readonly toasts = new Toasts(this.store);
  private readonly tools = new ReadyMadeTools(this.box, {
    showToast: (toast) => this.toasts.show(toast),
    applyTheme: (theme) => {
      this.theme = theme;
      document.documentElement.dataset['theme'] = theme;
      this.dispatch('agent-theme', { theme });
    },
    draw: (drawing) => this.dispatch('agent-drawing', drawing),
  });
  private readonly credentials = new Credentials(
    () => parseHeaders(this.getAttribute('headers')),
    (message) => void this.askForLogIn(message),
  );
  private readonly api = new AgentApi(() => this.endpoint, this.credentials);
  private readonly surroundings = new Surroundings(this.api, this.store);
  private readonly conversation = new Conversation({
    api: this.api,
    store: this.store,
    tools: this.box,
    environment: () => this.context,
    onEvent: (event) => {
      this.dispatch('agent-event', event);
      if (/^run\./.test(event.type)) this.sessions.changed();
    },
    onSession: (sessionId, runId) => this.dispatch('agent-session', { sessionId, runId }),
  });
  private readonly sessions = new StoredSessions(this.conversation);
  private context: readonly string[] = [];
  private ownTexts: OwnTexts = {};
  private isLogInDue = false;
  private isAtWork = false;

  constructor() {
    super(styles, { delegatesFocus: true });
  }

  get headers(): HeaderSource {
    return this.credentials.source;
  }
  set headers(value: HeaderSource | undefined) {
    this.credentials.source = value;
    if (this.isAtWork) this.arrive();
  }

  get refresh(): HeaderRefresh | undefined {
    return this.credentials.refresh;
  }
  set refresh(value: HeaderRefresh | undefined) {
    this.credentials.refresh = value;
  }

  get draft(): string {
    return this.store.state.draft;
  }
  set draft(value: string) {
    this.conversation.draft.write(value);
  }

  get session(): string | undefined {
    return this.store.state.sessionId;
  }
  set session(value: string | undefined) {
    if (value) void this.openSession(value);
    else this.newSession();
  }

  get environmentContext(): readonly string[] {
    return this.context;
  }
  set environmentContext(value: readonly string[]) {
    this.context = [...value];
  }

  get texts(): OwnTexts {
    return this.ownTexts;
  }
  set texts(value: OwnTexts) {
    this.ownTexts = value;
    this.speak();
    this.draw();
  }

  registerTool<Input extends object>(tool: BrowserTool<Input>): () => void {
    return this.box.register(tool);
  }

  enableTools(...names: readonly BrowserToolName[]): void {
    this.tools.enable(names);
    this.draw();
  }

  disableTools(...names: readonly BrowserToolName[]): void {
    this.tools.disable(names);
    this.draw();
  }

  send(message: string): Promise<void> {
    return this.conversation.say({ text: message });
  }

  regenerate(): Promise<void> {
    return this.conversation.regenerate();
  }

  async edit(runId: string, message: string): Promise<void> {
    const problem = await this.conversation.edit(runId, message);
    if (problem) this.store.update({ problem });
  }

  stop(): Promise<void> {
    return this.conversation.stop();
  }

  newSession(): void {
    this.sessions.begin();
  }

  openSession(sessionId: string, runId?: string): Promise<void> {
    return this.conversation.opening.open(sessionId, runId);
  }

  connectedCallback(): void {
    this.takeOver('endpoint', 'headers', 'refresh', 'mode', 'theme', 'open');
    this.takeOver('environmentContext', 'draft', 'session', 'attachments', 'texts');
    this.speak();
    this.draw();
    if (this.isAtWork) return;
    this.isAtWork = true;
    this.surroundings.watch();
    this.sessions.connect();
    const session = this.getAttribute('session');
    if (session && session !== this.session) void this.openSession(session);
    else void this.conversation.opening.goOn();
  }

  disconnectedCallback(): void {
    // A page that moves it puts it back at once, and the server ends a run whose stream is closed.
    setTimeout(() => {
      if (this.isConnected || !this.isAtWork) return;
      this.isAtWork = false;
      this.surroundings.unwatch();
      this.sessions.disconnect();
      this.conversation.line.hangUp();
      this.store.update({ connection: 'idle', isLoading: false });
      if (this.shadowRoot) render(null, this.shadowRoot);
    }, 0);
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === 'browser-tools') this.tools.setTo(after ?? '');
    if (name === 'texts') this.ownTexts = parseTexts(after);
    // Here it is an error of the page; the requests that need it can only fail.
    if (name === 'headers') parseHeaders(after);
    if (!this.isAtWork) return;
    if (name === 'lang' || name === 'texts') this.speak();
    if (name === 'session' && after && after !== this.session) void this.openSession(after);
    if (name === 'endpoint' || name === 'headers') {
      this.credentials.changed();
      this.arrive();
    }
    this.draw();
  }

  private speak(): void {
    this.store.update({ texts: textsOf(this.isSpoken, this.ownTexts) });
  }

  /** At another endpoint, or as another user. */
  private arrive(): void {
    this.surroundings.refresh();
    this.sessions.arrive();
    void this.conversation.opening.goOn();
  }

  /**
   * A page may navigate to its log-in at once. So it is notified once the refused request is settled, and
   * the message on its way too: it is refused as well, and then in the draft.
   */
  private async askForLogIn(message: string): Promise<void> {
    if (this.isLogInDue) return;
    this.isLogInDue = true;
    await this.conversation.line.answered;
    setTimeout(() => {
      this.isLogInDue = false;
      this.dispatch('agent-unauthorized', { message });
    }, 0);
  }

  private dispatch<Detail>(type: string, detail: Detail): void {
    this.dispatchEvent(new CustomEvent<Detail>(type, { detail }));
  }

  private draw(): void {
    if (!this.isConnected || !this.shadowRoot) return;
    const view = {
      conversation: this.conversation,
      sessions: this.sessions,
      toasts: this.toasts,
      setOpen: (isOpen: boolean) => void (this.open = isOpen),
      isSidebar: this.mode === 'sidebar',
      isOpen: this.open,
      heading: this.getAttribute('heading') ?? this.store.state.texts.heading,
      mayAttach: this.attachments === 'on',
      hasDrawings: this.box.has('draw_svg'),
    };
    render(h(Root, { store: this.store, view }), this.shadowRoot);
  }
}
