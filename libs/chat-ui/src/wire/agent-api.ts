import type { Attachment } from '../state/attachment';
import { ApiError, errorOf, unexpectedAnswer } from './api-error';
import type { Credentials } from './credentials';
import { framesOf } from './event-frames';
import type {
  AgentEvent,
  Health,
  JsonObject,
  JsonValue,
  RunSnapshot,
  SessionSummary,
  StoredMessage,
  ToolDefinition,
  ToolDetail,
  ToolSummary,
} from './protocol';

export interface ChatBody {
  readonly message?: string;
  readonly content?: readonly Attachment[];
  readonly sessionId?: string;
  /** The run of this session that the message replaces. */
  readonly replaceRun?: string;
  readonly environmentContext?: readonly string[];
  readonly frontendTools?: readonly ToolDefinition[];
}

export interface ActionBody {
  readonly callId: string;
  readonly type: 'approve' | 'reject' | 'result';
  readonly input?: JsonObject;
  readonly reason?: string;
  readonly remember?: boolean;
  readonly result?: JsonValue;
  readonly error?: string;
}

/** The agent's endpoints, as the chat uses them. */
export class AgentApi {
  constructor(
    private readonly endpoint: () => string,
    private readonly credentials: Credentials,
  ) {}

  health(): Promise<Health> {
    return this.json('GET', '/health', isObjectWith('model'));
  }

  tools(): Promise<readonly ToolSummary[]> {
    return this.json('GET', '/tools', Array.isArray);
  }

  tool(name: string): Promise<ToolDetail> {
    return this.json('GET', `/tools/${encodeURIComponent(name)}`, isObjectWith('input_schema'));
  }

  sessions(limit: number, offset: number): Promise<readonly SessionSummary[]> {
    return this.json('GET', `/sessions?limit=${limit}&offset=${offset}`, Array.isArray);
  }

  messages(sessionId: string): Promise<readonly StoredMessage[]> {
    return this.json('GET', `/sessions/${encodeURIComponent(sessionId)}/messages`, Array.isArray);
  }

  async removeSession(sessionId: string): Promise<void> {
    await this.request('DELETE', `/sessions/${encodeURIComponent(sessionId)}`);
  }

  chat(body: ChatBody, signal: AbortSignal): Promise<AsyncIterable<AgentEvent>> {
    return this.stream('POST', '/chat/stream', { body, signal });
  }

  /** The run's events behind `after`; none where there are none left to read. */
  events(
    runId: string,
    after: number,
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterable<AgentEvent>> {
    const headers = { ...sessionHeader(sessionId), 'last-event-id': String(after) };
    return this.stream('GET', `${runPath(runId)}/events`, { headers, signal });
  }

  private run(runId: string, sessionId: string | undefined): Promise<RunSnapshot> {
    const headers = sessionHeader(sessionId);
    return this.json('GET', runPath(runId), isObjectWith('pendingActions'), { headers });
  }

  /** The same, where the server still knows of it. */
  async runIfAny(runId: string, sessionId: string): Promise<RunSnapshot | undefined> {
    try {
      return await this.run(runId, sessionId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async cancel(runId: string, sessionId: string | undefined): Promise<void> {
    await this.request('DELETE', runPath(runId), { headers: sessionHeader(sessionId) });
  }

  act(
    runId: string,
    body: { readonly actions: readonly ActionBody[]; readonly frontendTools?: unknown },
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterable<AgentEvent>> {
    const headers = sessionHeader(sessionId);
    return this.stream('POST', `${runPath(runId)}/actions`, { headers, body, signal });
  }

  async deliver(body: {
    readonly sessionId: string;
    readonly callId: string;
    readonly result?: JsonValue;
    readonly error?: string;
  }): Promise<void> {
    await this.request('POST', '/chat/tool-result', { body });
  }

  private async json<T>(
    method: string,
    path: string,
    isExpected: (value: unknown) => boolean,
    options: RequestOptions = {},
  ): Promise<T> {
    const response = await this.request(method, path, options);
    const value = jsonOf(await response.text());
    if (!isExpected(value)) throw unexpectedAnswer(response.status);
    return value as T;
  }

  private async stream(
    method: string,
    path: string,
    options: RequestOptions,
  ): Promise<AsyncIterable<AgentEvent>> {
    const headers = { ...options.headers, accept: 'text/event-stream' };
    const response = await this.request(method, path, { ...options, headers });
    const type = response.headers.get('content-type') ?? '';
    const isStream = response.status === 204 || type.startsWith('text/event-stream');
    if (!isStream) throw unexpectedAnswer(response.status);
    return eventsOf(response);
  }

  /** A request that meets 401 is made once more, where the credentials could be renewed. */
  private async request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Response> {
    const { version } = this.credentials;
    let response = await this.attempt(method, path, options);
    if (response.status === 401 && (await this.credentials.renew(version))) {
      response = await this.attempt(method, path, options);
    }
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error.status === 401) this.credentials.onUnauthorized(error.message);
    throw error;
  }

  private async attempt(
    method: string,
    path: string,
    { headers, body, signal }: RequestOptions,
  ): Promise<Response> {
    const own = await this.credentials.headers();
    return fetch(this.endpoint().replace(/\/+$/, '') + path, {
      method,
      headers: {
        ...own,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      credentials: 'same-origin',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

function runPath(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

/** Shows the session where nobody is logged in: there its id is what entitles. */
function sessionHeader(sessionId: string | undefined): Readonly<Record<string, string>> {
  return sessionId === undefined ? {} : { 'x-agent-session': sessionId };
}

async function* eventsOf(response: Response): AsyncGenerator<AgentEvent, void, undefined> {
  if (response.status === 204 || response.body === null) return;
  for await (const { data } of framesOf(response.body)) {
    const event = jsonOf(data);
    if (!isObjectWith('type', 'runId', 'seq')(event)) throw unexpectedAnswer(response.status);
    yield event as AgentEvent;
  }
}

/** `undefined` for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObjectWith(...names: readonly string[]): (value: unknown) => boolean {
  return (value) =>
    typeof value === 'object' && value !== null && names.every((name) => name in value);
}
