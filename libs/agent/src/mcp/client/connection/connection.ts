import type { CallToolRequestOptions, Client } from '@modelcontextprotocol/client';
import { settledWithin } from '../../../internal';
import type { JsonObject } from '../../../message';
import { wellFormed } from '../../../model/history';
import type { ServerSettings } from '../options';
import { boundAnswers } from './bounded-answers';
import { httpTransport } from './http-transport';
import type { LineReader } from './lines';
import { loadPeer } from './load-peer';
import { OutgoingScope, type Outgoing } from './outgoing';
import { prepareMessage, rawList, rawStructured } from './received-message';
import { pauseAfter } from './reconnect-delay';
import { MAX_CHECKED_BYTES } from './response-bounds';
import { endProcess, stdioTransport } from './stdio-transport';
import { listedTools, type Listing } from './tool-listing';

const NAME = 'nestjs-agent';
const VERSION = '1.0.0';
/** The time for the client to close its streams. */
const CLOSE_MS = 2_000;

interface ConnectionEvents {
  /** Called once, when the connection has ended or does not answer correctly. */
  readonly lost: () => void;
  /** Called when the server's tools have changed. */
  readonly toolsChanged: () => void;
  /** Receives each line of a child's stderr. */
  readonly printed: LineReader;
}

/** One connection to a server, from its handshake to its end. It is never reopened. */
export class McpConnection {
  private readonly client: Client;
  private readonly transport: ReturnType<typeof httpTransport | typeof stdioTransport>;
  private readonly scope = new OutgoingScope();
  private readonly closed: Promise<void>;
  private isOver = false;
  private calls = 0;
  private opening: Outgoing | undefined;
  /** The child process: the transport forgets it when it begins to leave it. */
  private pid: number | null = null;
  private whenIdle: (() => void) | undefined;
  /** Ends a handshake whose answer is too large. */
  private refuse: (reason: Error) => void = () => undefined;

  constructor(
    private readonly settings: ServerSettings,
    private readonly events: ConnectionEvents,
  ) {
    const { endpoint, connectTimeoutMs } = settings;
    const peer = loadPeer();
    this.client = new peer.Client(
      { name: NAME, version: VERSION },
      {
        // No sampling, roots or elicitation: the server gets the arguments of calls and no more.
        capabilities: {},
        inputRequired: { autoFulfill: false },
        // A legacy child may leave the probe unanswered; half of the time is for its handshake.
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: connectTimeoutMs / 2 } },
      },
    );
    this.transport =
      'command' in endpoint
        ? stdioTransport(endpoint, events.printed)
        : httpTransport(endpoint, this.scope, () => this.lose());
    boundAnswers(this.transport, this.scope);
    this.transport.onmessage = (message) => {
      const refusal = prepareMessage(message);
      if (refusal !== undefined) this.refuse(refusal);
    };
    this.closed = new Promise((resolve) => {
      this.client.onclose = () => {
        resolve();
        this.lose();
      };
    });
  }

  /** Whether calls can be made. */
  get isOpen(): boolean {
    return this.opening !== undefined && !this.isOver;
  }

  /** The server's instructions for the model. */
  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  /** @param outgoing headers of the handshake's requests */
  async open(outgoing: Outgoing): Promise<void> {
    const { connectTimeoutMs } = this.settings;
    const bounded = { ...outgoing, maxMessageBytes: MAX_CHECKED_BYTES };
    const connected = this.scope.run(bounded, () =>
      this.client.connect(this.transport, { timeout: connectTimeoutMs }),
    );
    const refused = new Promise<never>((_, reject) => (this.refuse = reject));
    if (!(await settledWithin(Promise.race([connected, refused]), connectTimeoutMs))) {
      throw new Error(`no answer within ${connectTimeoutMs / 1_000} s`);
    }
    this.opening = outgoing;
    if ('pid' in this.transport) this.pid = this.transport.pid;
  }

  /** Reports changes of the tools from now on. */
  watch(outgoing: Outgoing): void {
    if (this.client.getServerCapabilities()?.tools?.listChanged !== true) return;
    this.client.setNotificationHandler('notifications/tools/list_changed', () => {
      if (!this.isOver) this.events.toolsChanged();
    });
    if (this.client.getProtocolEra() === 'modern') {
      void this.scope.run(outgoing, () => this.listen());
    }
  }

  /** The server's tools, page by page, up to a limit. */
  listTools(outgoing: Outgoing, isWanted: (name: string) => boolean): Promise<Listing> {
    const { connectTimeoutMs, maxTools } = this.settings;
    if (this.client.getServerCapabilities()?.tools === undefined) {
      return Promise.resolve({ tools: [], isCut: false });
    }
    return this.scope.run(outgoing, () =>
      listedTools(this.client, { timeoutMs: connectTimeoutMs, maxTools, isWanted }),
    );
  }

  /** Calls a tool; its content is unchecked. Rejects with the client's own errors. */
  async call(
    params: { readonly name: string; readonly arguments: JsonObject },
    options: CallToolRequestOptions,
    outgoing: Outgoing,
  ): Promise<unknown> {
    this.calls += 1;
    try {
      const result = await this.scope.run(outgoing, () =>
        // Some parsers refuse lone surrogates; a server cannot even answer such a request.
        this.client.callTool(
          { name: params.name, arguments: { ...wellFormed(params.arguments) } },
          options,
        ),
      );
      return {
        ...result,
        content: rawList(result, 'content'),
        structuredContent: rawStructured(result),
      };
    } finally {
      this.calls -= 1;
      if (this.calls === 0) this.whenIdle?.();
    }
  }

  /** Closes the connection once its calls are over. */
  async closeWhenIdle(): Promise<void> {
    if (this.calls > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    await this.close();
  }

  /** Ends the connection, and the child process. Never rejects, and takes a limited time. */
  async close(): Promise<void> {
    const wasOpen = this.isOpen;
    this.isOver = true;
    const { transport, opening } = this;
    if (wasOpen && opening) await this.endSession(opening);
    if ('pid' in transport) await endProcess(transport.pid ?? this.pid, this.closed);
    await settledWithin(Promise.allSettled([this.client.close()]), CLOSE_MS);
    // The client does not close a transport that it never took over.
    await settledWithin(Promise.allSettled([transport.close()]), CLOSE_MS);
  }

  /** Also called by users of the connection that learn of its end from a failed request. */
  lose(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.events.lost();
  }

  /** Servers keep the sessions of legacy clients until a request ends them. */
  private async endSession(outgoing: Outgoing): Promise<void> {
    const { transport } = this;
    if (!('terminateSession' in transport)) return;
    const ended = this.scope.run(outgoing, () => transport.terminateSession());
    await settledWithin(Promise.allSettled([ended]), CLOSE_MS);
  }

  /** Modern servers report changes on a stream, which is opened again when it ends. */
  private async listen(): Promise<void> {
    const { connectTimeoutMs } = this.settings;
    for (let rounds = 0; !this.isOver; rounds += 1) {
      try {
        const { closed } = await this.client.listen(
          { toolsListChanged: true },
          { timeout: connectTimeoutMs },
        );
        // No stream reports changes that were made between two streams.
        if (rounds > 0 && !this.isOver) this.events.toolsChanged();
        const since = Date.now();
        await closed;
        if (Date.now() - since > 60_000) rounds = 0;
      } catch {
        return this.lose();
      }
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(rounds)).unref());
    }
  }
}
