import { createParser } from 'eventsource-parser';
import type { AgentEvent, ChatResult } from 'nestjs-agent';
import { DEMO_USERS } from '../../../apps/demo/src/auth/users.seed';

export interface HttpAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** A client of the demo, over real HTTP. */
export class DemoClient {
  constructor(readonly address: string) {}

  async request<Body>(
    method: string,
    path: string,
    { token, body }: { readonly token?: string; readonly body?: unknown } = {},
  ): Promise<HttpAnswer<Body>> {
    const response = await this.fetch(method, path, token, body);
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** Logs one of the demo's users in; answers the token. */
  async login(username: string): Promise<string> {
    const password = DEMO_USERS.find(({ id }) => id === username)?.password;
    const { body } = await this.request<{ access_token: string }>('POST', '/auth/login', {
      body: { username, password },
    });
    return body.access_token;
  }

  async chat(token: string, message: string, sessionId?: string): Promise<ChatResult> {
    const { body } = await this.request<ChatResult>('POST', '/agent/chat', {
      token,
      body: { message, ...(sessionId !== undefined && { sessionId }) },
    });
    return body;
  }

  /** Every event of one streamed run. */
  async stream(token: string, message: string): Promise<readonly AgentEvent[]> {
    return this.eventsOf(await this.fetch('POST', '/agent/chat/stream', token, { message }));
  }

  /** A run's events, as they can be read again. */
  async events(token: string, runId: string): Promise<readonly AgentEvent[]> {
    return this.eventsOf(await this.fetch('GET', `/agent/runs/${runId}/events`, token));
  }

  private async eventsOf(response: Response): Promise<readonly AgentEvent[]> {
    const events: AgentEvent[] = [];
    const parser = createParser({
      onEvent: ({ data }) => events.push(JSON.parse(data) as AgentEvent),
    });
    parser.feed(await response.text());
    return events;
  }

  private fetch(method: string, path: string, token?: string, body?: unknown): Promise<Response> {
    return fetch(this.address + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}
