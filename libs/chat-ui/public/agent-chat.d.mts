/**
 * The element `<agent-chat>`, for pages that bundle it.
 *
 * @module nestjs-agent/ui/agent-chat.js
 */

/** The headers of a request, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Headers for every request, or a function that gives them each time. */
export type HeaderSource = RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);

/**
 * Renews headers that have expired. Answers those that take the place of `headers`, or nothing where
 * `headers` is a function that gives the new ones by now. Rejects where only a log-in helps.
 *
 * @example
 * import type { HeaderRefresh } from 'nestjs-agent/ui/agent-chat.js';
 *
 * const refresh: HeaderRefresh = async () => {
 *   const response = await fetch('/auth/refresh', { method: 'POST' });
 *   if (!response.ok) throw new Error('The refresh token has expired too.');
 *   const { access_token } = (await response.json()) as { access_token: string };
 *   return { authorization: `Bearer ${access_token}` };
 * };
 */
export type HeaderRefresh = () => Promise<RequestHeaders | undefined | void>;

/** What a browser tool may learn of its call. */
export interface BrowserToolContext {
  /** The call's id. */
  readonly callId: string;
  /** The session that is open. */
  readonly sessionId: string;
  /** Aborted when the run is stopped or left. */
  readonly signal: AbortSignal;
}

/**
 * A tool that runs in the user's page.
 *
 * @typeParam Input the arguments' type; `input_schema` has to say the same
 * @example
 * import type { BrowserTool } from 'nestjs-agent/ui/agent-chat.js';
 *
 * const openOrder: BrowserTool<{ id: number }> = {
 *   name: 'open_order',
 *   description: 'Open an order on the screen',
 *   input_schema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
 *   run: ({ id }) => location.assign(`/orders/${id}`),
 * };
 */
export interface BrowserTool<Input extends object = Readonly<Record<string, unknown>>> {
  /** 1 to 64 letters, digits or underscores; no tool of the server has it. */
  readonly name: string;
  /** What it is for; the model reads it. */
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  /**
   * Does its work, and answers what JSON can say, or a promise of it. What it throws becomes an error
   * that the model reads.
   */
  readonly run: (input: Input, context: BrowserToolContext) => unknown;
}

/**
 * The ready-made browser tools, each off until it is enabled.
 *
 * - `get_page_info`: title, address, headings, selected text and the beginning of the page's text
 * - `show_notification`: a note on the page
 * - `set_theme`: light, dark or the system's
 * - `draw_svg`: a drawing in the chat
 */
export type BrowserToolName = 'get_page_info' | 'show_notification' | 'set_theme' | 'draw_svg';

/**
 * `<agent-chat>`: the agent's chat, as a page or as a sidebar. Importing this module defines it.
 *
 * Attributes: `endpoint`, `session`, `headers` (JSON), `mode`, `theme`, `heading`, `open`,
 * `browser-tools` (names of ready-made tools, parted by spaces) and `attachments`.
 *
 * Events on the element: `agent-session` with `{ sessionId, runId }`, `agent-event` with every event
 * of a run, `agent-unauthorized` when the server wants a log-in and `refresh` did not help,
 * `agent-theme` with `{ theme }`.
 *
 * @example
 * import 'nestjs-agent/ui/agent-chat.js';
 *
 * const chat = document.createElement('agent-chat');
 * chat.mode = 'sidebar';
 * chat.headers = () => ({ authorization: `Bearer ${sessionStorage.getItem('token')}` });
 * chat.enableTools('get_page_info', 'show_notification');
 * document.body.append(chat);
 */
export declare class AgentChatElement extends HTMLElement {
  /** The path under which the agent answers; `/agent` by default. */
  endpoint: string;
  /** Sent with every request; none by default. Stored nowhere. */
  get headers(): HeaderSource;
  set headers(value: HeaderSource | undefined);
  /**
   * Called when the server answers 401, once for all requests that meet it at the same time; each of
   * them is then made once more. None by default.
   */
  refresh: HeaderRefresh | undefined;
  /**
   * What the user has written and not sent; a message that met a missing log-in comes back here.
   */
  draft: string;
  /**
   * The session that is open; `undefined` before the first message. Setting it opens that session.
   */
  session: string | undefined;
  /** Whether it fills its place, or opens at the window's side; `page` by default. */
  mode: 'page' | 'sidebar';
  /** Its colours; `auto`, the system's, by default. */
  theme: 'auto' | 'light' | 'dark';
  /**
   * Whether the user may attach pictures and files; `on` by default. With `off` there is no button, and
   * what is pasted or dropped is left to the browser.
   */
  attachments: 'on' | 'off';
  /** Whether the sidebar is open; `false` by default. */
  open: boolean;
  /**
   * Sent with each message: what the agent should know of the user's surroundings; nothing by
   * default.
   */
  environmentContext: readonly string[];
  /**
   * Gives the agent a tool that runs in this page, from the next message on.
   *
   * @returns a function that takes the tool away again
   * @throws TypeError where the name does not fit or is taken, or the description or `run` is missing
   */
  registerTool<Input extends object>(tool: BrowserTool<Input>): () => void;
  /**
   * Enables ready-made browser tools.
   *
   * @throws TypeError for a name that none has
   */
  enableTools(...names: readonly BrowserToolName[]): void;
  /** Disables ready-made browser tools. */
  disableTools(...names: readonly BrowserToolName[]): void;
  /**
   * Says something in the user's name, once the session that is being opened is there. Does nothing
   * while an answer is under way. Resolves when the answer is complete, or waits for the user.
   */
  send(message: string): Promise<void>;
  /**
   * Sends the last message again, with what was attached, for another answer in the place of the one it has. Does nothing
   * while an answer is under way. Resolves when the new answer is complete, or waits for the user.
   */
  regenerate(): Promise<void>;
  /**
   * Says another message in the place of the one that began a run: that message and all that followed
   * are no part of the conversation any more, once the new answer begins. Where the server refuses,
   * they stay. Does nothing while an answer is under way, or where no message of this conversation
   * began that run.
   *
   * @param runId as `agent-session` and each `agent-event` tell it
   * @param message what is said instead
   */
  edit(runId: string, message: string): Promise<void>;
  /** Stops the answer that is under way. */
  stop(): Promise<void>;
  /** Leaves the session: the next message begins a new one. */
  newSession(): void;
  /** Opens a stored session, and follows the run where one is named. */
  openSession(sessionId: string, runId?: string): Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap {
    /** The agent's chat. */
    'agent-chat': AgentChatElement;
  }
}
