/** Headers for every request, or a function that gives them at the time. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** What a browser tool may learn of its call. */
export interface BrowserToolContext {
  readonly callId: string;
  readonly sessionId: string;
  /** Aborted when the run is stopped or left. */
  readonly signal: AbortSignal;
}

/** A tool that runs in the user's page. */
export interface BrowserTool<Input extends object = Readonly<Record<string, unknown>>> {
  /** 1 to 64 letters, digits or underscores; no tool of the server has it. */
  readonly name: string;
  /** What it is for; the model reads it. */
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Answers what JSON can say. What it throws becomes an error that the model reads. */
  readonly run: (input: Input, context: BrowserToolContext) => unknown;
}

/** The ready-made browser tools, each off until it is enabled. */
export type BrowserToolName = 'get_page_info' | 'show_notification' | 'set_theme' | 'draw_svg';

/**
 * `<agent-chat>`: the agent's chat, as a page or as a sidebar.
 *
 * @example
 * const chat = document.querySelector('agent-chat');
 * chat.headers = () => ({ authorization: `Bearer ${token}` });
 * chat.registerTool({ name: 'open_order', description: '…', input_schema: {…}, run: openOrder });
 */
export declare class AgentChatElement extends HTMLElement {
  /** The path under which the agent answers; `/agent` by default. */
  endpoint: string;
  /** Sent with every request. Stored nowhere. */
  get headers(): HeaderSource;
  set headers(value: HeaderSource | undefined);
  /** The session that is open. */
  session: string | undefined;
  mode: 'page' | 'sidebar';
  theme: 'auto' | 'light' | 'dark';
  /** Whether the sidebar is open. */
  open: boolean;
  /** Sent with each message: what the agent should know of the user's surroundings. */
  environmentContext: readonly string[];
  /** Gives the agent a tool; answers a function that takes it away. @throws TypeError */
  registerTool<Input extends object>(tool: BrowserTool<Input>): () => void;
  /** Enables ready-made browser tools. @throws TypeError for a name that none has */
  enableTools(...names: readonly BrowserToolName[]): void;
  disableTools(...names: readonly BrowserToolName[]): void;
  /** Says something in the user's name. Resolves when the answer is complete. */
  send(message: string): Promise<void>;
  /** Stops the answer that is under way. */
  stop(): Promise<void>;
  newSession(): void;
  /** Opens a stored session, and follows the run where one is named. */
  openSession(sessionId: string, runId?: string): Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat': AgentChatElement;
  }
}
