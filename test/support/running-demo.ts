import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { createParser } from 'eventsource-parser';
import { memoryStore, SESSION_STORE, type AgentEvent, type ChatResult } from 'nestjs-agent';
import { AppModule } from '../../apps/demo/src/app.module';
import { DEMO_USERS } from '../../apps/demo/src/auth/users.seed';

export interface HttpAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** What a client of the demo does, over real HTTP on a free port. */
export class RunningDemo {
  private constructor(
    readonly app: INestApplication,
    readonly address: string,
  ) {}

  /** The demo's own module, or one made of its parts. Its sessions stay out of the user's folder. */
  static async start(module: unknown = AppModule): Promise<RunningDemo> {
    const testing = await Test.createTestingModule({ imports: [module as typeof AppModule] })
      .overrideProvider(SESSION_STORE)
      .useValue(memoryStore())
      .compile();
    const app = testing.createNestApplication();
    await app.listen(0, '127.0.0.1');
    return new RunningDemo(app, await app.getUrl());
  }

  close(): Promise<void> {
    return this.app.close();
  }

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
    const response = await this.fetch('POST', '/agent/chat/stream', token, { message });
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
