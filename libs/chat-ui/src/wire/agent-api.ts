import { framesOf } from './event-frames';
import type {
  AgentEvent,
  Health,
  JsonObject,
  JsonValue,
  Message,
  RunSnapshot,
  SessionSummary,
  ToolDefinition,
  ToolDetail,
  ToolSummary,
} from './protocol';

/** Headers for every request, or a function that gives them at the time. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export interface ChatBody {
  readonly message: string;
  readonly sessionId?: string;
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

/** The server said no, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** The agent's endpoints, as the chat uses them. */
export class AgentApi {
  constructor(
    private readonly endpoint: () => string,
    private readonly headers: () => HeaderSource,
  ) {}

  health(): Promise<Health> {
    return this.json('GET', '/health');
  }

  tools(): Promise<readonly ToolSummary[]> {
    return this.json('GET', '/tools');
  }

  tool(name: string): Promise<ToolDetail> {
    return this.json('GET', `/tools/${encodeURIComponent(name)}`);
  }

  sessions(): Promise<readonly SessionSummary[]> {
    return this.json('GET', '/sessions');
  }

  messages(sessionId: string): Promise<readonly Message[]> {
    return this.json('GET', `/sessions/${encodeURIComponent(sessionId)}/messages`);
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
    return this.json('GET', runPath(runId), { headers: sessionHeader(sessionId) });
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

  private async json<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    const response = await this.request(method, path, options);
    return (await response.json()) as T;
  }

  private async stream(
    method: string,
    path: string,
    options: RequestOptions,
  ): Promise<AsyncIterable<AgentEvent>> {
    const headers = { ...options.headers, accept: 'text/event-stream' };
    const response = await this.request(method, path, { ...options, headers });
    return eventsOf(response);
  }

  private async request(
    method: string,
    path: string,
    { headers, body, signal }: RequestOptions = {},
  ): Promise<Response> {
    const source = this.headers();
    const own = typeof source === 'function' ? await source() : source;
    const response = await fetch(this.endpoint().replace(/\/+$/, '') + path, {
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
    if (!response.ok) throw await errorOf(response);
    return response;
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
  for await (const { data } of framesOf(response.body)) yield JSON.parse(data) as AgentEvent;
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  const text = Array.isArray(body.message) ? body.message.join(' ') : body.message;
  return new ApiError(
    response.status,
    typeof body.code === 'string' ? body.code : 'http_error',
    typeof text === 'string' && text !== '' ? text : `The server answered ${response.status}.`,
  );
}
