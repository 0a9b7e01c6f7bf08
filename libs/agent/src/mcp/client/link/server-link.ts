import { Logger } from '@nestjs/common';
import { delay, from, Subject, throttle } from 'rxjs';
import type { AgentDepth } from '../../../invocation';
import { printable, settledWithin, shortened, thrownText } from '../../../internal';
import type { ToolRegistry } from '../../../registry';
import { AgentError } from '../../../tool';
import { McpConnection, pauseAfter, Secrets, type Listing } from '../connection';
import type { ServerSettings } from '../options';
import { reasonOf, ServerUnavailableError } from '../results';
import { RemoteCalls } from './remote-calls';
import { Credentials } from './credentials';
import { PublishedToolkit } from './published-toolkit';

/** A connection that lasted longer resets the count of failures. */
const STABLE_MS = 10_000;
/** The pause after a list, so that a server cannot have its tools listed without end. */
const LIST_PAUSE_MS = 1_000;
const MAX_REASON_CHARS = 200;

/** The state of a server: connecting for the first time, connected, or unreachable. */
export type McpClientState = 'connecting' | 'connected' | 'unavailable';

/** One configured server: its tools, and its connection, which is reopened after a loss. */
export class ServerLink {
  private readonly logger: Logger;
  private readonly secrets = new Secrets();
  private readonly credentials: Credentials;
  private readonly toolkit: PublishedToolkit;
  private readonly calls: RemoteCalls;
  private readonly changes = new Subject<void>();
  /** Lists the tools at once, and once more for all changes until the pause is over. */
  private readonly listing = this.changes
    .pipe(
      throttle(() => from(this.list()).pipe(delay(LIST_PAUSE_MS)), {
        leading: true,
        trailing: true,
      }),
    )
    .subscribe();
  private connection: McpConnection | undefined;
  private attempt: Promise<void> | undefined;
  /** Resolves when the previous connection has ended; its process may be slow to exit. */
  private ending: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private connectedAt = 0;
  private isClosed = false;
  state: McpClientState = 'connecting';

  constructor(
    readonly settings: ServerSettings,
    registry: ToolRegistry,
    depth: AgentDepth,
  ) {
    this.logger = new Logger(`McpClient ${settings.name}`);
    this.credentials = new Credentials(settings, this.secrets, depth, (error) =>
      this.logger.error('The function of "headers" failed.', this.secrets.mask(thrownText(error))),
    );
    this.calls = new RemoteCalls({
      settings,
      credentials: this.credentials,
      mask: this.secrets.mask,
      warn: this.warn,
      shared: () => (this.state === 'connected' ? this.connection : undefined),
      connect: (lost) =>
        new McpConnection(settings, { lost, toolsChanged: () => undefined, printed: this.print }),
    });
    this.toolkit = new PublishedToolkit(
      settings,
      registry,
      this.calls.run,
      this.secrets.mask,
      this.warn,
    );
  }

  /** The names of the tools in the registry. */
  get tools(): readonly string[] {
    return this.toolkit.names;
  }

  /**
   * Connects for the first time, for `connectTimeoutMs` at most.
   *
   * @param others resolve once the servers before this one have added their tools, so that the
   *   order is the same at each start
   * @returns whether it succeeded
   */
  async start(others: Promise<unknown>): Promise<boolean> {
    await this.connect(others);
    return this.state === 'connected';
  }

  /** Lists the tools now; connects first if necessary. @throws ServerUnavailableError */
  async refresh(): Promise<void> {
    if (this.state !== 'connected') await this.connect();
    else await this.list();
    if (this.state !== 'connected') throw new ServerUnavailableError(this.settings.name);
  }

  /** Ends all connections. Tools stay in the registry; their calls fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.state = 'unavailable';
    this.listing.unsubscribe();
    clearTimeout(this.timer);
    await Promise.all([this.connection?.close(), this.calls.close(), this.ending]);
    await this.attempt;
  }

  /** Never rejects. */
  private connect(others?: Promise<unknown>): Promise<void> {
    clearTimeout(this.timer);
    this.attempt ??= this.tryToConnect(others).finally(() => (this.attempt = undefined));
    return this.attempt;
  }

  private async tryToConnect(others?: Promise<unknown>): Promise<void> {
    await this.ending;
    if (this.isClosed) return;
    const { connectTimeoutMs } = this.settings;
    const connection = new McpConnection(this.settings, {
      lost: () => this.onLost(connection),
      toolsChanged: () => this.changes.next(),
      printed: this.print,
    });
    this.connection = connection;
    try {
      const listing = this.firstListing(connection);
      if (!(await settledWithin(listing, connectTimeoutMs))) {
        throw new Error(`no answer within ${connectTimeoutMs / 1_000} s`);
      }
      await others;
      if (this.isClosed) return;
      this.toolkit.publish(await listing, connection.instructions);
      if (!connection.isOpen) throw new Error('the connection ended at once');
      this.logger.log(`Connected, with ${this.tools.length} tools.`);
      this.state = 'connected';
      this.connectedAt = Date.now();
      connection.watch(this.credentials.ofModule);
    } catch (error) {
      this.connection = undefined;
      this.ending = connection.close();
      if (!this.isClosed) this.onFailed(error);
    }
  }

  private async firstListing(connection: McpConnection): Promise<Listing> {
    await connection.open(this.credentials.ofModule);
    return this.listingOf(connection);
  }

  private listingOf(connection: McpConnection): Promise<Listing> {
    return connection.listTools(this.credentials.ofModule, this.toolkit.isWanted);
  }

  private async list(): Promise<void> {
    const { connection } = this;
    if (connection === undefined || this.state !== 'connected') return;
    try {
      const listing = await this.listingOf(connection);
      // A late answer of a connection that was lost must not replace newer tools.
      if (this.connection === connection) this.toolkit.publish(listing, connection.instructions);
    } catch (error) {
      this.warn(`The tools could not be listed: ${reasonOf(error)}.`);
      // The registry refused the tools; a new connection would list the same.
      if (!(error instanceof AgentError)) connection.lose();
    }
  }

  private onLost(connection: McpConnection): void {
    if (this.connection !== connection || this.state !== 'connected') return;
    this.connection = undefined;
    if (Date.now() - this.connectedAt > STABLE_MS) this.failures = 0;
    this.state = 'unavailable';
    this.warn('The connection was lost. Reconnecting.');
    this.ending = connection.close();
    this.retryLater();
  }

  private onFailed(error: unknown): void {
    const reason = failureText(error, this.settings, this.secrets.mask);
    const problem = `Cannot connect to ${placeOf(this.settings)}: ${reason}.`;
    if (this.state !== 'connecting') this.debug(problem);
    else this.warn(`${problem} The next attempts are only logged at debug level.`);
    this.state = 'unavailable';
    this.retryLater();
  }

  private retryLater(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.connect(), pauseAfter(this.failures)).unref();
    this.failures += 1;
  }

  private readonly print = (line: string, isCut: boolean): void => {
    this.debug(isCut ? this.secrets.maskCut(line) : line);
  };

  /** Masked, since texts for the log may quote the server. */
  private readonly warn = (text: string): void => {
    this.logger.warn(printable(this.secrets.mask(text)));
  };

  private debug(text: string): void {
    this.logger.debug(printable(this.secrets.mask(text)));
  }
}

/** The command or host; the path and query of an address may be secret. */
function placeOf({ endpoint }: ServerSettings): string {
  return 'command' in endpoint ? endpoint.command : new URL(endpoint.url).host;
}

/** Plain `Error`s are of this module, or of the client, which may quote the server at any length. */
function failureText(
  error: unknown,
  { endpoint }: ServerSettings,
  mask: (text: string) => string,
): string {
  const isOwn = error instanceof Error && error.name === 'Error' && !('code' in error);
  // Masked first: the part of a secret that a cut leaves is not found.
  const reason = isOwn ? shortened(mask(error.message), MAX_REASON_CHARS) : reasonOf(error);
  return ('command' in endpoint && OF_PROGRAMS.get(reason)) || reason;
}

const OF_PROGRAMS: ReadonlyMap<string, string> = new Map([
  [
    'CONNECTION_CLOSED',
    'the program ended before it answered; what it printed is logged at debug level',
  ],
  ['ENOENT', 'ENOENT, so the program, its interpreter or its cwd does not exist'],
]);
