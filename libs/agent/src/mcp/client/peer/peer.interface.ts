// The parts of @modelcontextprotocol/client that this module uses. The package is optional, so no
// declaration of ours imports from it; a unit test compares these types with the real ones.

/** A message of JSON-RPC, before the client reads it. */
export interface PeerMessage {
  readonly result?: unknown;
}

export interface PeerTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  /** Ends the session of an older server. */
  terminateSession?(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

export interface PeerStdioTransport extends PeerTransport {
  readonly pid: number | null;
  readonly stderr: unknown;
}

export interface PeerProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface PeerRequestOptions {
  signal?: AbortSignal;
  timeout?: number;
  resetTimeoutOnProgress?: boolean;
  maxTotalTimeout?: number;
  onprogress?: (progress: PeerProgress) => void;
}

export interface PeerCallOptions extends PeerRequestOptions {
  /** The tool as listed; it also marks the arguments that are sent as headers. */
  toolDefinition?: { name: string; inputSchema: { type: 'object'; [keyword: string]: unknown } };
}

export interface PeerSubscription {
  close(): Promise<void>;
  readonly closed: Promise<unknown>;
}

export interface PeerSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
  };
}

export interface PeerClient {
  onclose?: (() => void) | undefined;
  connect(transport: never, options?: PeerRequestOptions): Promise<void>;
  close(): Promise<void>;
  request(
    request: { method: string; params?: Record<string, unknown> },
    schema: PeerSchema,
    options?: PeerRequestOptions,
  ): Promise<unknown>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    options?: PeerCallOptions,
  ): Promise<unknown>;
  listen(
    filter: { toolsListChanged?: boolean },
    options?: PeerRequestOptions,
  ): Promise<PeerSubscription>;
  setNotificationHandler(method: 'notifications/tools/list_changed', handler: () => void): void;
  getServerCapabilities(): { readonly tools?: { readonly listChanged?: boolean } } | undefined;
  getProtocolEra(): string | undefined;
  getInstructions(): string | undefined;
}

export interface PeerClientOptions {
  capabilities: Record<string, never>;
  versionNegotiation: { mode: 'auto'; probe: { timeoutMs: number } };
  inputRequired: { autoFulfill: boolean };
}

export interface PeerHttpOptions {
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  reconnectionOptions: {
    initialReconnectionDelay: number;
    maxReconnectionDelay: number;
    reconnectionDelayGrowFactor: number;
    maxRetries: number;
  };
  reconnectionScheduler: (
    reconnect: () => void,
    delayMs: number,
    attempt: number,
  ) => (() => void) | void;
  authProvider?: never;
}

export interface PeerStdioOptions {
  command: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  stderr: 'pipe';
}

/** The package. */
export interface PeerModule {
  readonly Client: new (
    info: { name: string; version: string },
    options: PeerClientOptions,
  ) => PeerClient;
  readonly StreamableHTTPClientTransport: new (url: URL, options: PeerHttpOptions) => PeerTransport;
}

/** Its part for child processes. */
export interface PeerStdioModule {
  readonly StdioClientTransport: new (options: PeerStdioOptions) => PeerStdioTransport;
}
