import { jsonIn } from '../../../internal';
import { CallInterruptedError, ToolTimeoutError } from '../../../invocation';
import { AgentError, ToolError } from '../../../tool';

const MAX_MESSAGE_CHARS = 500;
/** Codes of the client's own errors that mean the connection has ended. */
const OVER: ReadonlySet<unknown> = new Set(['NOT_CONNECTED', 'CONNECTION_CLOSED', 'SEND_FAILED']);

/** A code, and no text. */
const CODE = /^\w{1,64}$/;

/** A server cannot be reached at the moment; nothing was sent. */
export class ServerUnavailableError extends AgentError {
  constructor(server: string) {
    super(
      'temporarily_unavailable',
      `The MCP server "${server}" is temporarily unavailable. Try again later, or do without it.`,
    );
  }
}

/** The connection ended during a call. */
class CallLostError extends AgentError {
  /** Only tools that the application declares repeatable are called again. */
  readonly retryable = true;

  constructor(server: string) {
    super(
      'temporarily_unavailable',
      `The connection to the MCP server "${server}" was lost during the call. Whether it had an effect is unknown.`,
    );
  }
}

interface FailedCall {
  readonly server: string;
  readonly timeoutMs: number;
  readonly isReadOnly: boolean;
  readonly isCancelled: boolean;
  /** The connection is known to have ended. */
  readonly isLost: boolean;
  /** Masks credentials. */
  readonly mask: (text: string) => string;
}

/** A failed call as an error for the model, and whether a new connection is needed. */
interface CallFailure {
  readonly error: AgentError;
  readonly isLost: boolean;
}

/** Translates a failed call. Only the message of a JSON-RPC error is meant to be read. */
export function callFailureOf(thrown: unknown, call: FailedCall): CallFailure {
  const { server, timeoutMs, isReadOnly, isCancelled, isLost, mask } = call;
  if (isCancelled) return kept(new CallInterruptedError());
  if (thrown instanceof AgentError) return kept(thrown);
  const { name, code, message, status } = partsOf(thrown);
  if (isLost || OVER.has(code) || name === 'TypeError') return lost(new CallLostError(server));
  if (typeof code === 'number') {
    const text = mask(message).slice(0, MAX_MESSAGE_CHARS);
    return kept(new ToolError(text || 'The MCP server refused the call.', { code: 'mcp_error' }));
  }
  if (status !== undefined) return httpFailureOf(status, server);
  switch (code) {
    case 'REQUEST_TIMEOUT':
      return kept(new ToolTimeoutError(timeoutMs, isReadOnly));
    case 'UNSUPPORTED_RESULT_TYPE':
      return failed('mcp_input_required', 'The tool wants further input, which is not supported.');
    case 'INVALID_RESULT':
      return failed(
        'invalid_output',
        `The MCP server "${server}" sent a result that is not valid.`,
      );
    default:
      if (message === 'Not connected') return lost(new CallLostError(server));
      return failed('mcp_error', `The call to the MCP server "${server}" failed.`);
  }
}

/** The reason of an error for the log, without texts of servers and without addresses. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AgentError) return thrown.message;
  const { name, code, status, cause } = partsOf(thrown);
  if (status !== undefined) return `HTTP ${status}`;
  if (cause !== undefined) return cause;
  if (typeof code === 'number') return `JSON-RPC error ${code}`;
  // An authorization server chooses the codes of its errors.
  if (typeof code === 'string' && CODE.test(code)) return code;
  return name;
}

function httpFailureOf(status: number, server: string): CallFailure {
  const said = `The MCP server "${server}" answered with HTTP ${status}.`;
  if (status === 401) return failed('unauthorized', said);
  if (status === 403) return failed('forbidden', said);
  if (status === 429) return kept(new ServerUnavailableError(server));
  if (status >= 500) return lost(new CallLostError(server));
  // A restarted server no longer knows the session.
  if (status === 400 || status === 404) return lost(new ServerUnavailableError(server));
  return failed('http_error', said);
}

function failed(code: string, message: string): CallFailure {
  return kept(new AgentError(code, message));
}

function kept(error: AgentError): CallFailure {
  return { error, isLost: false };
}

function lost(error: AgentError): CallFailure {
  return { error, isLost: true };
}

interface Parts {
  readonly name: string;
  readonly code?: unknown;
  readonly message: string;
  readonly status?: number | undefined;
  /** The code of the system error behind it, such as `ECONNREFUSED`. */
  readonly cause?: string | undefined;
}

/** Errors of the client that stand for a status. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['UnauthorizedError', 401],
  ['InsufficientScopeError', 403],
]);

/** Reads an error by its fields: those of `fetch` need not be instances of this realm's classes. */
function partsOf(thrown: unknown): Parts {
  if (!isRecord(thrown)) return { name: 'unknown error', message: '' };
  const { name, message, code, data, cause } = thrown;
  const { status, text } = isRecord(data) ? data : {};
  const answered = typeof status === 'number' ? status : undefined;
  return {
    name: typeof name === 'string' ? name : 'unknown error',
    message: typeof message === 'string' ? message : '',
    code,
    status: STATUSES.get(name) ?? answered,
    cause: systemCodeOf(cause),
    ...((answered === 400 || answered === 500) && refusalIn(text)),
  };
}

/**
 * JSON-RPC's own error of the request, from an answer with a status of failure. An unknown session is
 * none: it has another code, or no id.
 */
function refusalIn(text: unknown): Partial<Parts> | undefined {
  const said = jsonIn(String(text));
  if (!isRecord(said) || typeof said['id'] !== 'number' || !isRecord(said['error']))
    return undefined;
  const { code, message } = said['error'];
  if (typeof code !== 'number' || code < -32_603 || code > -32_601) return undefined;
  return { code, message: typeof message === 'string' ? message : '', status: undefined };
}

function systemCodeOf(cause: unknown): string | undefined {
  if (!isRecord(cause)) return undefined;
  return typeof cause['code'] === 'string' ? cause['code'] : systemCodeOf(cause['cause']);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
