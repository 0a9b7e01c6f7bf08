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
 * All words of the chat; each is described by the English ones. A name in braces is replaced by its
 * value.
 *
 * @example
 * import type { AgentChatTexts } from 'nestjs-agent/ui/agent-chat.js';
 *
 * const french: Partial<AgentChatTexts> = { send: 'Envoyer', remove: 'Retirer {name}' };
 */
export interface AgentChatTexts {
  /** A language tag, for numbers: `en`. */
  readonly locale: string;
  /** Agent */
  readonly heading: string;
  /** Open chat */
  readonly openChat: string;
  /** Close chat */
  readonly closeChat: string;
  /** New session */
  readonly newSession: string;
  /** Conversation */
  readonly conversation: string;
  /** Loading… */
  readonly loading: string;
  /** Loading… Your message is sent after that. */
  readonly loadingToSend: string;
  /** Connection lost. Reconnecting… */
  readonly reconnecting: string;
  /** Dismiss notification */
  readonly dismiss: string;
  /** Retry */
  readonly retry: string;
  /** Connecting */
  readonly connecting: string;
  /** Connected, model {model} */
  readonly connected: string;
  /** The server cannot be reached */
  readonly unreachable: string;
  /** How can I help? */
  readonly greeting: string;
  /** Some of what you can ask for: */
  readonly suggestions: string;
  /** Past sessions */
  readonly pastSessions: string;
  /** Close past sessions */
  readonly closePastSessions: string;
  /** There are none yet. */
  readonly noSessions: string;
  /** Show more */
  readonly moreSessions: string;
  /** Session */
  readonly untitledSession: string;
  /** Delete session: {title} */
  readonly deleteSession: string;
  /** Delete */
  readonly delete: string;
  /** · waits for you */
  readonly sessionWaits: string;
  /** · running */
  readonly sessionRuns: string;
  /** Message */
  readonly message: string;
  /** Ask something… */
  readonly placeholder: string;
  /** Send */
  readonly send: string;
  /** Stop */
  readonly stop: string;
  /** Attach */
  readonly attach: string;
  /** Attach pictures or files */
  readonly attachHint: string;
  /** Attachments */
  readonly attachments: string;
  /** Attached: {names}. */
  readonly attached: string;
  /** Removed: {name}. */
  readonly removed: string;
  /** Remove {name} */
  readonly remove: string;
  /** Picture */
  readonly picture: string;
  /** File */
  readonly file: string;
  /** These are {count} attachments; usually at most {most} are accepted. */
  readonly tooMany: string;
  /** {name} has {size}; usually at most {largest} are accepted. */
  readonly tooLarge: string;
  /** Sending the attachments… */
  readonly uploading: string;
  /** You */
  readonly user: string;
  /** Edit */
  readonly edit: string;
  /** Edit message */
  readonly editMessage: string;
  /** Your message */
  readonly yourMessage: string;
  /** The answer to it, and all that followed, is replaced. */
  readonly editHint: string;
  /** Save */
  readonly save: string;
  /** Cancel */
  readonly cancel: string;
  /** Sending… */
  readonly sending: string;
  /** Agent */
  readonly agent: string;
  /** The agent is working */
  readonly working: string;
  /** Thinking… */
  readonly thinking: string;
  /** Thoughts */
  readonly thoughts: string;
  /** Earlier messages were summarised. */
  readonly compacted: string;
  /** Regenerate */
  readonly regenerate: string;
  /** Sources */
  readonly sources: string;
  /** Table */
  readonly table: string;
  /** Drawing */
  readonly drawing: string;
  /** {total} tokens ({input} in, {output} out) */
  readonly tokens: string;
  /** Stopped. */
  readonly stopped: string;
  readonly endings: {
    /** The answer was cut off: it reached its longest length. */
    readonly max_tokens: string;
    /** The model declined to answer. */
    readonly refusal: string;
    /** The budget of this run is used up. */
    readonly budget: string;
    /** Stopped: the agent went round in circles. */
    readonly loop: string;
    /** Stopped. */
    readonly cancelled: string;
  };
  /** Code */
  readonly code: string;
  /** Copy: {what} */
  readonly copy: string;
  /** Copied */
  readonly copied: string;
  readonly calls: {
    /** Waits for you */
    readonly waiting: string;
    /** Waits for someone else */
    readonly elsewhere: string;
    /** Answered */
    readonly answered: string;
    /** Running */
    readonly running: string;
    /** Done */
    readonly done: string;
    /** Failed */
    readonly failed: string;
    /** Declined */
    readonly declined: string;
    /** Expired */
    readonly expired: string;
    /** Not finished */
    readonly interrupted: string;
  };
  /** runs in this page */
  readonly ranInPage: string;
  /** ran at the provider of the model */
  readonly ranAtProvider: string;
  /** Arguments */
  readonly arguments: string;
  /** Question */
  readonly question: string;
  /** What the agent “{agent}” does */
  readonly askedAgent: string;
  /** Result */
  readonly result: string;
  /** Error */
  readonly error: string;
  /** The agent wants to run {tool}. */
  readonly wantsToRun: string;
  /** The agent “{agent}” wants to run {tool}. */
  readonly askedWantsToRun: string;
  /** This is no valid value. */
  readonly wrongValue: string;
  /** Invisible characters: {text} */
  readonly unseen: string;
  /** Always for this tool, in this session */
  readonly always: string;
  /** Approve */
  readonly approve: string;
  /** Reject */
  readonly reject: string;
  /** Edited */
  readonly edited: string;
  readonly news: {
    /** {tool} waits for your approval. */
    readonly approval: string;
    /** {agent}: {tool} waits for your approval. */
    readonly askedApproval: string;
    /** Running {tool}. */
    readonly running: string;
    /** Sending the attachments. */
    readonly uploading: string;
    /** The agent is working. */
    readonly working: string;
    /** The answer is complete. */
    readonly complete: string;
  };
  readonly problems: {
    /** The server cannot be reached. */
    readonly network: string;
    /** You are not logged in. */
    readonly loggedOut: string;
    /** The server answered {status}. */
    readonly status: string;
    /** The server gave an answer that this chat cannot read. An interceptor, a proxy or a log-in page may have taken its place. */
    readonly unexpected: string;
    /** That conversation is no longer there. */
    readonly sessionGone: string;
    /** The connection was lost, and the rest of this answer can no longer be read. */
    readonly runLost: string;
    /** Stopped. Nothing was changed here. */
    readonly stopped: string;
    /** Not attached, for it cannot be read: {names}. */
    readonly unreadable: string;
  };
}

/** Some of the words of the chat; the others stay. */
export type OwnTexts<Texts = AgentChatTexts> = {
  readonly [Name in keyof Texts]?: Texts[Name] extends string ? string : OwnTexts<Texts[Name]>;
};

/**
 * `<agent-chat>`: the agent's chat, as a page or as a sidebar. Importing this module defines it.
 *
 * Attributes: `endpoint`, `session`, `headers` (JSON), `mode`, `theme`, `heading`, `open`,
 * `browser-tools` (names of ready-made tools, parted by spaces), `attachments`, `lang` and `texts`
 * (JSON).
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
   * Words that take the place of the language's own; none by default. The language is that of the
   * nearest element with `lang`: English or German, and English for any other.
   *
   * @example
   * const chat = document.createElement('agent-chat');
   * chat.texts = { send: 'Envoyer', calls: { done: 'Fait' } };
   */
  texts: OwnTexts;
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
