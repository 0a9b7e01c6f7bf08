import { type AgUiAgent, CLIENTS, type Generation } from './clients';

/** An event on the wire. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export interface TabOptions {
  readonly generation?: Generation;
  /** The logged-in user; `null` for none. */
  readonly user?: string | null;
  readonly threadId?: string;
  readonly messages?: readonly object[];
  readonly tools?: readonly object[];
  readonly path?: string;
  /** Changes the request, as a hostile client would. */
  readonly forge?: (input: Record<string, unknown>) => Record<string, unknown>;
}

const APPROVED = { approved: true } as const;

/** The page of one user: the real client, with all that went over the wire. */
export class Tab {
  readonly agent: AgUiAgent;
  /** The events of each request, as they were sent. */
  readonly requests: WireEvent[][] = [];
  /** The text of each stream. */
  readonly streams: string[] = [];
  readonly sent: Record<string, unknown>[] = [];
  headers: Headers = new Headers();
  private count = 0;

  constructor(
    private readonly url: string,
    private readonly options: TabOptions = {},
  ) {
    const { generation = '1.0.0', user = 'alice', threadId = 'main', messages = [] } = options;
    this.agent = new CLIENTS[generation].Agent({
      url: `${url}${options.path ?? '/agent'}/ag-ui`,
      threadId,
      initialMessages: messages,
      headers: user === null ? {} : { authorization: `Bearer ${user}` },
      fetch: (to: string, init: RequestInit) => this.fetch(to, init),
    });
  }

  /** The events of the last request. */
  get events(): readonly WireEvent[] {
    return this.requests.at(-1) ?? [];
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  /** The texts of the assistant, in the client's own list. */
  get texts(): readonly unknown[] {
    return this.agent.messages
      .filter(
        ({ role, content }) => role === 'assistant' && content !== undefined && content !== '',
      )
      .map(({ content }) => content);
  }

  /** The tool messages in the client's own list, by their call. */
  get results(): Readonly<Record<string, readonly unknown[]>> {
    const results: Record<string, unknown[]> = {};
    for (const { role, toolCallId = '', content } of this.agent.messages) {
      if (role === 'tool') (results[toolCallId] ??= []).push(content);
    }
    return results;
  }

  of(type: string): readonly WireEvent[] {
    return this.events.filter((event) => event.type === type);
  }

  get outcome(): unknown {
    return this.of('RUN_FINISHED')[0]?.['outcome'];
  }

  add(content: unknown, more: object = {}): void {
    this.count += 1;
    const id = `${this.options.user ?? 'nobody'}-${this.agent.messages.length}-${this.count}`;
    this.agent.addMessage({ id, role: 'user', content, ...more });
  }

  /** Sends a message of the user. */
  async say(content: unknown, more: object = {}): Promise<void> {
    this.add(content);
    await this.run(more);
  }

  answer(toolCallId: string, content: string, more: object = {}): void {
    this.agent.addMessage({
      id: `tool-${toolCallId}`,
      role: 'tool',
      toolCallId,
      content,
      ...more,
    });
  }

  approve(...ids: readonly string[]): Promise<void> {
    return this.resume(Object.fromEntries(ids.map((id) => [id, APPROVED])));
  }

  /** Answers interrupts: `null` cancels one. */
  async resume(verdicts: Readonly<Record<string, unknown>>): Promise<void> {
    await this.run({
      resume: Object.entries(verdicts).map(([interruptId, payload]) =>
        payload === null
          ? { interruptId, status: 'cancelled' }
          : { interruptId, status: 'resolved', payload },
      ),
    });
  }

  async run(more: object = {}): Promise<void> {
    const { tools = [] } = this.options;
    await this.agent.runAgent({ tools, ...more });
  }

  /** Resolves with the error of a failing request. */
  async fails(work: Promise<void>): Promise<Error> {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      await work;
    } catch (error) {
      return error as Error;
    } finally {
      log.mockRestore();
    }
    throw new Error('The request did not fail.');
  }

  /** The thread's messages on the server. */
  async history(): Promise<readonly object[]> {
    const response = await this.ask(`${encodeURIComponent(this.agent.threadId)}/messages`);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as readonly object[];
  }

  /** Another endpoint of AG-UI, as the same user. */
  ask(path: string, init: RequestInit = {}): Promise<Response> {
    const { user = 'alice' } = this.options;
    const headers = new Headers(user === null ? {} : { authorization: `Bearer ${user}` });
    return fetch(`${this.url}${this.options.path ?? '/agent'}/ag-ui/${path}`, { headers, ...init });
  }

  private async fetch(to: string, init: RequestInit): Promise<Response> {
    const { generation = '1.0.0', forge = (input) => input } = this.options;
    const input = forge(JSON.parse(init.body as string) as Record<string, unknown>);
    this.sent.push(input);
    const events: WireEvent[] = [];
    this.requests.push(events);
    const response = await fetch(to, { ...init, body: JSON.stringify(input) });
    this.headers = response.headers;
    if (!response.ok || response.body === null) return response;
    let text = '';
    const at = this.streams.push('') - 1;
    const decoder = new TextDecoder();
    const { events: schema } = CLIENTS[generation];
    const seen = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        const piece = decoder.decode(chunk, { stream: true });
        this.streams[at] += piece;
        const frames = (text + piece).split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) {
          if (!frame.startsWith('data: ')) continue;
          const event = JSON.parse(frame.slice('data: '.length)) as WireEvent;
          // A client's schema would drop or refuse unknown fields.
          expect(schema.parse(event)).toEqual(event);
          events.push(event);
        }
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(seen), response);
  }
}
