import { EN, type Texts } from '../texts';
import type {
  Attachment,
  CallOutcome,
  Health,
  JsonObject,
  JsonValue,
  ResultContent,
  RunStatus,
  SessionSummary,
  StopReason,
  ToolKind,
  ToolSummary,
  Usage,
} from '../wire';

/** A message of the user. */
export interface Said {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

/** A question for the user's consent. */
export interface Approval {
  readonly reason: string;
  readonly expiresAt: string;
  readonly answer?: 'approved' | 'rejected';
  /** The user's answer is on its way to the server. */
  readonly isSending?: boolean;
  /** Why the last answer was refused; the approval stays open. */
  readonly problem?: string;
}

/** One tool call, as its card shows it. */
export interface ToolPart {
  readonly type: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly kind?: ToolKind;
  /** The arguments as far as the model has written them. */
  readonly inputText: string;
  readonly input?: JsonObject;
  readonly progress: readonly JsonValue[];
  readonly output?: ResultContent;
  /** How it ended; missing while it is open. */
  readonly outcome?: CallOutcome;
  readonly durationMs?: number;
  /** Milliseconds since the epoch; missing for calls of a past session. */
  readonly startedAt?: number;
  readonly approval?: Approval;
  /** Someone other than this user answers it. */
  readonly isExternal?: true;
  /** The model's provider ran it, not the application; `kind` is `provider` then. */
  readonly ranAtProvider?: true;
  /** The asked agent whose call it is; missing for calls of the chat's own agent. */
  readonly agent?: string;
  /** For a call that asks another agent: the work of that agent. */
  readonly asked?: AskedRun;
}

/** Words: the answer's, the model's thoughts, or a notice while the run goes on. */
export interface TextPart {
  readonly type: 'text' | 'thinking' | 'notice';
  readonly text: string;
}

export type Part = TextPart | ToolPart;

/** The texts and calls of an agent. */
export interface Account {
  readonly parts: readonly Part[];
  readonly sources?: readonly Source[];
  /** The history was summarised on the way. */
  readonly compacted?: boolean;
}

/** The run of an agent that a call asked. */
export interface AskedRun extends Account {
  readonly agent: string;
}

/** A page that the model names as a source of its answer, fit to be linked. */
export interface Source {
  readonly url: string;
  readonly host: string;
  readonly title?: string;
}

/** A message in the conversation. */
export interface UserTurn extends Said {
  readonly role: 'user';
  readonly key: string;
  /** The run that it began, which another message can replace; missing where that is not known. */
  readonly runId?: string;
}

/** The agent's answer: one run, with its approvals. */
export interface AgentTurn extends Account {
  readonly role: 'agent';
  readonly key: string;
  readonly runId?: string;
  /** That of the last event that is in here. */
  readonly seq: number;
  /** Where in `parts` the step begins that is not finished; missing where none is. */
  readonly stepAt?: number | undefined;
  readonly status: RunStatus;
  readonly stopReason?: StopReason;
  readonly usage?: Usage;
  readonly error?: Problem;
  /** The message has attachments, and takes its time until the run begins. */
  readonly isUploading?: true;
}

export type Turn = UserTurn | AgentTurn;

export interface Problem {
  readonly code: string;
  readonly message: string;
}

export type Connection = 'idle' | 'streaming' | 'reconnecting';

export interface Toast {
  readonly key: number;
  readonly message: string;
  readonly level: 'info' | 'success' | 'warning' | 'error';
}

/** All that the chat shows. */
export interface ChatState {
  /** The words that it is shown with. */
  readonly texts: Texts;
  readonly turns: readonly Turn[];
  readonly sessionId?: string;
  readonly connection: Connection;
  readonly isLoading: boolean;
  /** The session that is not loaded yet, or could not be, and may be another time. */
  readonly unopened?: { readonly sessionId: string; readonly runId: string | undefined };
  /** The text of the message that is not sent yet. */
  readonly draft: string;
  /** Its attachments. */
  readonly attachments: readonly Attachment[];
  /** The last change to them, to be read out. */
  readonly attachmentNews: string;
  /** The draft is sent as soon as the conversation is loaded. */
  readonly isSendQueued: boolean;
  readonly health?: Health | 'unreachable';
  readonly tools: readonly ToolSummary[];
  /** Messages to begin with. */
  readonly suggestions: readonly string[];
  readonly sessions?: readonly SessionSummary[] | 'loading';
  /** The server may have more of them. */
  readonly hasMoreSessions: boolean;
  /** A problem outside a turn. */
  readonly problem?: Problem;
  readonly toasts: readonly Toast[];
}

export const EMPTY_CHAT: ChatState = {
  texts: EN,
  turns: [],
  connection: 'idle',
  isLoading: false,
  draft: '',
  attachments: [],
  attachmentNews: '',
  isSendQueued: false,
  tools: [],
  suggestions: [],
  hasMoreSessions: false,
  toasts: [],
};
