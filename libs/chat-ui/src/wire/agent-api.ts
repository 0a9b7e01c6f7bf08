import { isStatus, errorOf, unexpectedAnswer } from './api-error';
import type { ActionBody, ChatBody, ResultBody, RunAddress } from './bodies';
import type { Credentials } from './credentials';
import { dataOf } from './event-stream';
import { isObjectWith, jsonOf } from './json';
import type {
  AgentEvent,
  Health,
  RunSnapshot,
  SessionSummary,
  StoredMessage,
  ToolDefinition,
  ToolDetail,
  ToolSummary,
} from './protocol';

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export type EventStream = AsyncIterable<AgentEvent>;

/** The agent's endpoints, as the chat uses them. */
export class AgentApi {
  constructor(
    private readonly endpoint: () => string,
    private readonly credentials: Credentials,
  ) {}

  health(): Promise<Health> {
    return this.json('/health', isObjectWith('model'));
  }

  tools(): Promise<readonly ToolSummary[]> {
    return this.json('/tools', Array.isArray);
  }

  tool(name: string): Promise<ToolDetail> {
    return this.json(`/tools/${encodeURIComponent(name)}`, isObjectWith('input_schema'));
  }

  sessions(limit: number, offset: number): Promise<readonly SessionSummary[]> {
    return this.json(`/sessions?limit=${limit}&offset=${offset}`, Array.isArray);
  }

  messages(sessionId: string): Promise<readonly StoredMessage[]> {
    return this.json(`/sessions/${encodeURIComponent(sessionId)}/messages`, Array.isArray);
  }

  async removeSession(sessionId: string): Promise<void> {
    await this.request(`/sessions/${encodeURIComponent(sessionId)}`, { method: 'DELETE' });
  }

  chat(body: ChatBody, signal: AbortSignal): Promise<EventStream> {
    return this.stream('/chat/stream', { body, signal });
  }

  /** The run's events behind `after`; none where there are none left to read. */
  events(run: RunAddress, after: number, signal: AbortSignal): Promise<EventStream> {
    const headers = { ...sessionHeader(run), 'last-event-id': String(after) };
    return this.stream(`${pathOf(run)}/events`, { headers, signal });
  }

  /** The run, where the server still knows of it. */
  async runIfAny(run: RunAddress): Promise<RunSnapshot | undefined> {
    try {
      const headers = sessionHeader(run);
      return await this.json<RunSnapshot>(pathOf(run), isObjectWith('status'), { headers });
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  async cancel(run: RunAddress): Promise<void> {
    await this.request(pathOf(run), { method: 'DELETE', headers: sessionHeader(run) });
  }

  act(
    run: RunAddress,
    body: { actions: readonly ActionBody[]; frontendTools?: readonly ToolDefinition[] },
    signal: AbortSignal,
  ): Promise<EventStream> {
    return this.stream(`${pathOf(run)}/actions`, { headers: sessionHeader(run), body, signal });
  }

  async deliver(body: ResultBody): Promise<void> {
    await this.request('/chat/tool-result', { body });
  }

  protected async json<T>(
    path: string,
    isExpected: (value: unknown) => boolean,
    options?: RequestOptions,
  ): Promise<T> {
    const response = await this.request(path, options);
    const value = jsonOf(await response.text());
    if (!isExpected(value)) throw unexpectedAnswer(response.status);
    return value as T;
  }

  private async stream(path: string, options: RequestOptions): Promise<EventStream> {
    const headers = { ...options.headers, accept: 'text/event-stream, application/json' }; // errors are JSON
    const response = await this.request(path, { ...options, headers });
    const type = response.headers.get('content-type') ?? '';
    const isStream = response.status === 204 || type.startsWith('text/event-stream');
    if (!isStream) throw unexpectedAnswer(response.status);
    return eventsOf(response);
  }

  /** A request that meets 401 is made once more, where the credentials could be renewed. */
  private async request(path: string, options: RequestOptions = {}): Promise<Response> {
    const { version } = this.credentials;
    let response = await this.attempt(path, options);
    if (response.status === 401 && (await this.credentials.renew(version))) {
      response = await this.attempt(path, options);
    }
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error.status === 401) this.credentials.onUnauthorized(error.message);
    throw error;
  }

  private async attempt(
    path: string,
    { method, headers, body, signal }: RequestOptions,
  ): Promise<Response> {
    const hasBody = body !== undefined;
    const own = await this.credentials.headers();
    return fetch(this.endpoint().replace(/\/+$/, '') + path, {
      method: method ?? (hasBody ? 'POST' : 'GET'),
      headers: { ...own, ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      credentials: 'same-origin',
      ...(hasBody && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }
}

function pathOf({ runId }: RunAddress): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

/** The session's id is the credential of anonymous users. */
function sessionHeader({ sessionId }: RunAddress): Readonly<Record<string, string>> {
  return sessionId === undefined ? {} : { 'x-agent-session': sessionId };
}

async function* eventsOf(response: Response): AsyncGenerator<AgentEvent, void, undefined> {
  if (response.status === 204 || response.body === null) return;
  for await (const data of dataOf(response.body)) {
    const event = jsonOf(data);
    if (!isObjectWith('type', 'runId', 'seq')(event)) throw unexpectedAnswer(response.status);
    yield event as AgentEvent;
  }
}
