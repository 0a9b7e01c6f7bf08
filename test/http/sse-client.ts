import { once } from 'node:events';
import http from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { AgentEvent } from 'nestjs-agent';

export interface SseRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An event stream being read, frame by frame. */
export class SseStream {
  private readonly frames: EventSourceMessage[] = [];
  private readonly chunks: string[] = [];

  private constructor(
    private readonly request: http.ClientRequest,
    readonly response: http.IncomingMessage,
  ) {
    const parser = createParser({ onEvent: (frame) => void this.frames.push(frame) });
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.chunks.push(chunk);
      parser.feed(chunk);
    });
    response.on('error', () => undefined);
  }

  static async open(url: string, { method, headers, body }: SseRequest = {}): Promise<SseStream> {
    const request = http.request(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      agent: false,
    });
    request.on('error', () => undefined);
    const answered = once(request, 'response');
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await answered) as [http.IncomingMessage];
    return new SseStream(request, response);
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  get text(): string {
    return this.chunks.join('');
  }

  get events(): readonly AgentEvent[] {
    return this.frames.map(({ data }) => JSON.parse(data) as AgentEvent);
  }

  get ids(): readonly (string | undefined)[] {
    return this.frames.map(({ id }) => id);
  }

  /** The first event of a type, as soon as it is there. */
  async next<T extends AgentEvent['type']>(type: T): Promise<Extract<AgentEvent, { type: T }>> {
    for (;;) {
      const event = this.events.find((each) => each.type === type);
      if (event) return event as Extract<AgentEvent, { type: T }>;
      if (this.response.readableEnded) throw new Error(`No ${type} in: ${this.text}`);
      await Promise.race([once(this.response, 'data'), once(this.response, 'end')]);
    }
  }

  /** Every event, once the stream has ended. */
  async all(): Promise<readonly AgentEvent[]> {
    if (!this.response.readableEnded) await once(this.response, 'end');
    return this.events;
  }

  drop(): void {
    this.request.destroy();
  }
}
