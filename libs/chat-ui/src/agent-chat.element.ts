import { h, render } from 'preact';
import type { BrowserTool, BrowserToolName } from './browser-tools/browser-tool';
import { registerReadyMade, type PageEffects } from './browser-tools/ready-made';
import type { Theme } from './browser-tools/theme.tool';
import { ToolBox } from './browser-tools/tool-box';
import { Conversation } from './conversation/conversation';
import { StoredSessions } from './conversation/stored-sessions';
import { Surroundings } from './conversation/surroundings';
import type { Toast } from './state/chat-state';
import { ChatStore } from './state/store';
import styles from './styles/chat.css?inline';
import type { ChatView } from './view/chat-context';
import { Root } from './view/root';
import { AgentApi } from './wire/agent-api';
import { Credentials, type HeaderRefresh, type HeaderSource } from './wire/credentials';
import type { AgentEvent } from './wire/protocol';

const TOAST_MS = 8_000;
const SETTABLE = [
  'endpoint',
  'headers',
  'refresh',
  'mode',
  'theme',
  'open',
  'environmentContext',
  'draft',
  'session',
  'attachments',
] as const;
const DRAWN: BrowserToolName = 'draw_svg';

// Where there is no document (a server that renders pages), the class can still be imported.
const Base = globalThis.HTMLElement ?? class {};

/**
 * `<agent-chat>`: the agent's chat, as a page or as a sidebar.
 *
 * Attributes: `endpoint` (`/agent`), `session` (a session to open), `headers` (JSON), `mode` (`page`
 * or `sidebar`), `theme` (`auto`, `light` or `dark`), `heading`, `open` (of a sidebar),
 * `browser-tools` (names of ready-made tools, parted by spaces), `attachments` (`off` for none).
 *
 * Events, none of which bubbles out of reach: `agent-session` with `{ sessionId, runId }`,
 * `agent-event` with every event of a run, `agent-unauthorized` when the server wants a log-in,
 * `agent-theme` with `{ theme }`.
 *
 * @example
 * const chat = document.querySelector('agent-chat');
 * chat.headers = () => ({ authorization: `Bearer ${token}` });
 * chat.enableTools('show_notification');
 */
export class AgentChatElement extends Base {
  static readonly observedAttributes = [
    ...[
      'endpoint',
      'session',
      'headers',
      'mode',
      'heading',
      'open',
      'browser-tools',
      'attachments',
    ],
  ];

  private readonly store = new ChatStore();
  private readonly box = new ToolBox();
  private readonly conversation: Conversation;
  private readonly surroundings: Surroundings;
  private readonly sessions: StoredSessions;
  private readonly enabled = new Map<BrowserToolName, () => void>();
  private readonly effects: PageEffects = {
    showToast: (toast) => this.showToast(toast),
    applyTheme: (theme) => this.applyTheme(theme),
    draw: (drawing) => this.dispatch('agent-drawing', drawing),
  };
  private readonly credentials = new Credentials(
    () => parseHeaders(this.getAttribute('headers')),
    // After what met it is settled, so that the page finds the draft as it stays.
    (message) => setTimeout(() => this.dispatch('agent-unauthorized', { message }), 0),
  );
  private context: readonly string[] = [];
  private lastToast = 0;

  constructor() {
    super();
    const api = new AgentApi(() => this.endpoint, this.credentials);
    this.surroundings = new Surroundings(api, this.store);
    this.sessions = new StoredSessions(api, this.store);
    this.conversation = new Conversation({
      api,
      store: this.store,
      tools: this.box,
      environment: () => this.context,
      onEvent: (event) => this.dispatch<AgentEvent>('agent-event', event),
      onSession: (sessionId, runId) => this.dispatch('agent-session', { sessionId, runId }),
    });
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    // A constructed sheet is no inline style: a strict content security policy lets it be.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
  }

  /** The path under which the agent answers. */
  get endpoint(): string {
    return this.getAttribute('endpoint') ?? '/agent';
  }
  set endpoint(value: string) {
    this.setAttribute('endpoint', value);
  }

  /** Sent with every request: an object, or a function called each time. Stored nowhere. */
  get headers(): HeaderSource {
    return this.credentials.source;
  }
  set headers(value: HeaderSource | undefined) {
    this.credentials.source = value;
    if (this.isConnected) this.arrive();
  }

  /** Renews the headers where the server answers 401; what met it is asked for again, once. */
  get refresh(): HeaderRefresh | undefined {
    return this.credentials.refresh;
  }
  set refresh(value: HeaderRefresh | undefined) {
    this.credentials.refresh = value;
  }

  /** What the user has written and not sent. */
  get draft(): string {
    return this.store.state.draft;
  }
  set draft(value: string) {
    this.conversation.write(value);
  }

  /** The session that is open. */
  get session(): string | undefined {
    return this.store.state.sessionId;
  }
  set session(value: string | undefined) {
    if (value === undefined) this.newSession();
    else void this.openSession(value);
  }

  get mode(): 'page' | 'sidebar' {
    return this.getAttribute('mode') === 'sidebar' ? 'sidebar' : 'page';
  }
  set mode(value: 'page' | 'sidebar') {
    this.setAttribute('mode', value);
  }

  get theme(): Theme {
    const theme = this.getAttribute('theme');
    return theme === 'light' || theme === 'dark' ? theme : 'auto';
  }
  set theme(value: Theme) {
    this.setAttribute('theme', value);
  }

  /** Whether the user may attach pictures and files. */
  get attachments(): 'on' | 'off' {
    return this.getAttribute('attachments') === 'off' ? 'off' : 'on';
  }
  set attachments(value: 'on' | 'off') {
    this.setAttribute('attachments', value);
  }

  /** Whether the sidebar is open. */
  get open(): boolean {
    return this.hasAttribute('open');
  }
  set open(value: boolean) {
    this.toggleAttribute('open', value);
  }

  /** Sent with each message: what the agent should know of the user's surroundings. */
  get environmentContext(): readonly string[] {
    return this.context;
  }
  set environmentContext(value: readonly string[]) {
    this.context = [...value];
  }

  /**
   * Gives the agent a tool that runs in this page.
   *
   * @returns a function that takes the tool away again
   * @throws TypeError where the name does not fit or is taken
   */
  registerTool<Input extends object>(tool: BrowserTool<Input>): () => void {
    return this.box.register(tool);
  }

  /** Enables ready-made browser tools. @throws TypeError for a name that none has */
  enableTools(...names: readonly BrowserToolName[]): void {
    for (const name of names) {
      if (this.enabled.has(name)) continue;
      this.enabled.set(name, registerReadyMade(this.box, name, this.effects));
    }
    this.draw();
  }

  /** Disables ready-made browser tools. */
  disableTools(...names: readonly BrowserToolName[]): void {
    for (const name of names) {
      this.enabled.get(name)?.();
      this.enabled.delete(name);
    }
    this.draw();
  }

  /** Says something in the user's name. Resolves when the answer is complete. */
  send(message: string): Promise<void> {
    return this.conversation.send(message);
  }

  /** Has the last message answered anew, in the place of the answer that it has. */
  regenerate(): Promise<void> {
    return this.conversation.regenerate();
  }

  /** Says another message in the place of the one that began a run, and of all that followed. */
  async edit(runId: string, message: string): Promise<void> {
    const problem = await this.conversation.edit(runId, message);
    if (problem) this.store.update({ problem });
  }

  /** Stops the answer that is under way. */
  stop(): Promise<void> {
    return this.conversation.stop();
  }

  newSession(): void {
    this.sessions.close();
    this.conversation.reset();
  }

  /** Opens a stored session, and follows the run where one is named. */
  openSession(sessionId: string, runId?: string): Promise<void> {
    return this.conversation.open(sessionId, runId);
  }

  connectedCallback(): void {
    for (const name of SETTABLE) this.takeOver(name);
    this.draw();
    this.surroundings.watch();
    const session = this.getAttribute('session');
    if (session && session !== this.session) void this.openSession(session);
    else void this.conversation.pickUp();
  }

  disconnectedCallback(): void {
    this.surroundings.unwatch();
    this.conversation.hangUp();
    this.store.update({ connection: 'idle' });
    if (this.shadowRoot) render(null, this.shadowRoot);
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === 'browser-tools') {
      const names = (after ?? '').split(/\s+/).filter((each) => each !== '') as BrowserToolName[];
      this.disableTools(...[...this.enabled.keys()].filter((each) => !names.includes(each)));
      this.enableTools(...names);
    }
    if (!this.isConnected) return;
    if (name === 'session' && after && after !== this.session) void this.openSession(after);
    if (name === 'endpoint' || name === 'headers') {
      this.credentials.changed();
      this.arrive();
    }
    this.draw();
  }

  /** At another endpoint, or as somebody else. */
  private arrive(): void {
    this.surroundings.refresh();
    void this.conversation.goOn();
  }

  /** A property set before the element was defined hides the real one: it is set anew. */
  private takeOver(name: (typeof SETTABLE)[number]): void {
    if (!Object.hasOwn(this, name)) return;
    const { value } = Object.getOwnPropertyDescriptor(this, name) as { value: never };
    delete (this as Partial<Record<typeof name, unknown>>)[name];
    this[name] = value;
  }

  private dispatch<Detail>(type: string, detail: Detail): void {
    this.dispatchEvent(new CustomEvent<Detail>(type, { detail }));
  }

  private applyTheme(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset['theme'] = theme;
    this.dispatch('agent-theme', { theme });
  }

  private showToast(toast: Omit<Toast, 'key'>): void {
    const key = ++this.lastToast;
    this.store.update(({ toasts }) => ({ toasts: [...toasts.slice(-3), { ...toast, key }] }));
    setTimeout(() => this.dismissToast(key), TOAST_MS);
  }

  private dismissToast(key: number): void {
    this.store.update(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.key !== key) }));
  }

  private async removeSession(sessionId: string): Promise<void> {
    const isGone = await this.sessions.remove(sessionId);
    if (isGone && this.session === sessionId) this.conversation.reset();
  }

  private draw(): void {
    if (!this.isConnected || !this.shadowRoot) return;
    const view: Omit<ChatView, 'state'> = {
      conversation: this.conversation,
      isSidebar: this.mode === 'sidebar',
      heading: this.getAttribute('heading') ?? 'Agent',
      mayAttach: this.attachments === 'on',
      hasDrawings: this.box.has(DRAWN),
      listSessions: () => void this.sessions.list(),
      listMoreSessions: () => void this.sessions.listMore(),
      closeSessions: () => this.sessions.close(),
      openSession: (sessionId, runId) => {
        this.sessions.close();
        void this.openSession(sessionId, runId);
      },
      removeSession: (sessionId) => void this.removeSession(sessionId),
      newSession: () => this.newSession(),
      dismissToast: (key) => this.dismissToast(key),
      close: () => (this.open = false),
    };
    const open = (): void => void (this.open = true);
    render(h(Root, { store: this.store, view, isOpen: this.open, open }), this.shadowRoot);
  }
}

function parseHeaders(json: string | null): Readonly<Record<string, string>> {
  if (json === null || json === '') return {};
  try {
    return JSON.parse(json) as Readonly<Record<string, string>>;
  } catch {
    throw new TypeError('The attribute "headers" of <agent-chat> has to be a JSON object.');
  }
}
