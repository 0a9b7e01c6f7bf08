import { createParser } from 'eventsource-parser';

/** What a request may say besides its method and parameters. */
export interface CallOptions {
  /** The user; alice by default, `null` for none. */
  readonly user?: string | null;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Further members of `_meta` of modern requests. */
  readonly meta?: object;
  readonly capabilities?: object;
  readonly id?: string | number;
  readonly signal?: AbortSignal;
}

/** A value of JSON that a test reads without asking for its type. */
export type Read = ReturnType<typeof JSON.parse>;

/** A message of the protocol, as tests read it. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, Read>>;
  readonly result?: Readonly<Record<string, Read>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Read };
}

export interface Answer extends Message {
  readonly status: number;
  readonly headers: Headers;
  /** The messages of a stream before its last one. */
  readonly before: readonly Message[];
}

const EVERYTHING = 'application/json, text/event-stream';

/** Speaks MCP as bytes, right or wrong, where official clients speak it only right. */
export class RpcClient {
  constructor(readonly url: string) {}

  /** A request of the modern revision, with its headers. */
  modern(method: string, params: object = {}, options: CallOptions = {}): Promise<Answer> {
    const { capabilities = { elicitation: {} }, meta = {} } = options;
    const name = params as { readonly name?: string; readonly uri?: string };
    return this.request(
      method,
      {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...meta,
        },
      },
      {
        ...options,
        headers: {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          'mcp-name': name.name ?? name.uri,
          ...options.headers,
        },
      },
    );
  }

  /** A request of a revision that begins with `initialize`. */
  legacy(method: string, params: object = {}, options: CallOptions = {}): Promise<Answer> {
    const headers = { 'mcp-protocol-version': '2025-11-25', ...options.headers };
    return this.request(method, params, { ...options, headers });
  }

  request(method: string, params: object, options: CallOptions): Promise<Answer> {
    return this.post({ jsonrpc: '2.0', id: options.id ?? 1, method, params }, options);
  }

  async post(body: unknown, options: CallOptions = {}): Promise<Answer> {
    return answerOf(
      await this.send(typeof body === 'string' ? body : JSON.stringify(body), options),
    );
  }

  send(
    body: string | undefined,
    { user = 'alice', headers = {}, signal }: CallOptions = {},
    method = 'POST',
  ): Promise<Response> {
    const all = {
      accept: EVERYTHING,
      'content-type': 'application/json',
      authorization: user === null ? undefined : `Bearer ${user}`,
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]);
    return fetch(this.url, {
      method,
      headers: Object.fromEntries(given),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
  }
}

/** The last message of an answer, with those before it. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const messages = isStream ? eventsIn(text) : text === '' ? [] : [JSON.parse(text) as Message];
  return {
    status: response.status,
    headers: response.headers,
    before: messages.slice(0, -1),
    ...messages.at(-1),
  };
}

/** The messages of a stream, as they arrive. */
export async function* messagesOf(response: Response): AsyncGenerator<Message, void> {
  const arrived: Message[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(JSON.parse(data) as Message) });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield* arrived.splice(0);
  }
}

function eventsIn(text: string): readonly Message[] {
  const messages: Message[] = [];
  const parser = createParser({
    onEvent: ({ data }) => messages.push(JSON.parse(data) as Message),
  });
  parser.feed(text);
  return messages;
}
