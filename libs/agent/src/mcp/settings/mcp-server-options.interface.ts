import type { FactoryProvider, ModuleMetadata } from '@nestjs/common';

/**
 * How a tool that asks for approval is served:
 *
 * - `elicit`: the host asks its user through MCP's elicitation
 * - `client`: the host's own question before each call counts as the approval
 * - `refuse`: the call is an error
 */
export type McpApproval = 'elicit' | 'client' | 'refuse';

/**
 * The tools of a server, among those that the agent offers to the caller. Names may contain `*`.
 *
 * @example
 * import { type McpToolSelection } from 'nestjs-agent/mcp';
 *
 * const tools: McpToolSelection = { include: ['orders_*'], exclude: ['*_debug'] };
 */
export interface McpToolSelection {
  /** The names to serve; all by default. */
  readonly include?: readonly string[];
  /** The names to leave out; none by default. */
  readonly exclude?: readonly string[];
  /** Groups to activate, besides those that are active by default; none by default. */
  readonly groups?: readonly string[];
  /** Whether tools of `McpClientModule` are served too; `false` by default. */
  readonly foreign?: boolean;
}

/**
 * The server as an OAuth resource. Your guard still verifies the token and its audience.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728
 * @example
 * import { type McpAuthOptions } from 'nestjs-agent/mcp';
 *
 * const auth: McpAuthOptions = {
 *   resource: 'https://shop.example/mcp',
 *   authorizationServers: ['https://login.example'],
 *   scopes: ['orders'],
 * };
 */
export interface McpAuthOptions {
  /** The endpoint's public URL, absolute. */
  readonly resource: string;
  /** The issuers of tokens, absolute URLs. */
  readonly authorizationServers: readonly string[];
  /** The scopes that a client should request; none by default. */
  readonly scopes?: readonly string[];
}

/**
 * Limits of one server.
 *
 * @example
 * import { type McpServerLimits } from 'nestjs-agent/mcp';
 *
 * const limits: McpServerLimits = { callsPerPrincipal: 4, approvalMs: 60_000 };
 */
export interface McpServerLimits {
  /** Bytes of a request's body; 1 048 576 by default. */
  readonly bodyBytes?: number;
  /** Tool calls of one principal at the same time; 8 by default. Anonymous callers share theirs. */
  readonly callsPerPrincipal?: number;
  /** Open streams for change notifications; 1 000 by default. */
  readonly streams?: number;
  /** Open streams of one principal; 4 by default. Anonymous callers share theirs. */
  readonly streamsPerPrincipal?: number;
  /** Milliseconds to answer an approval; 300 000 by default. */
  readonly approvalMs?: number;
}

/**
 * Options of `McpServerModule` that may come from a factory.
 *
 * @example
 * import { type McpServerOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpServerOptions = {
 *   name: 'shop',
 *   version: '1.4.0',
 *   approvals: { 'delete_*': 'refuse', '*': 'elicit' },
 * };
 */
export interface McpServerOptions {
  /** The server's name; the agent's by default. */
  readonly name?: string;
  /** The server's version; `0.0.0` by default. */
  readonly version?: string;
  /** Text that hosts give to their model; those of the offered toolkits follow. None by default. */
  readonly instructions?: string;
  /** The tools to serve; all that the agent offers by default. */
  readonly tools?: McpToolSelection;
  /**
   * How tools that ask for approval are served: one way, or ways by name, where names may contain
   * `*` and the first match counts; `elicit` by default.
   */
  readonly approvals?: McpApproval | Readonly<Record<string, McpApproval>>;
  /** The server as an OAuth resource; none by default. */
  readonly auth?: McpAuthOptions;
  /**
   * Origins of web pages and browser extensions that may send requests; by default those of pages of
   * the same machine, and that of `auth.resource`. Requests without `Origin` pass.
   */
  readonly allowedOrigins?: readonly string[];
  /** Whether clients may listen for changes of the lists; `true` by default. */
  readonly listChanged?: boolean;
  /**
   * Protects the state of approvals; random per process by default. Processes behind one address
   * need the same secret, and a session store that they share.
   */
  readonly secret?: string;
  /** Items of one page of a list; 500 by default. */
  readonly pageSize?: number;
  /** Milliseconds that clients may cache lists; 60 000 by default. */
  readonly ttlMs?: number;
  /** Limits of the server. */
  readonly limits?: McpServerLimits;
}

/**
 * Options of `McpServerModule` that shape its controller, so no factory can return them.
 *
 * @example
 * import { type McpServerStaticOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpServerStaticOptions = { decorators: [UseGuards(JwtAuthGuard)] };
 */
export interface McpServerStaticOptions {
  /**
   * The agent whose tools are served, with its selection, permissions and presets: a name of
   * `AgentModule.forFeature`; the application's own agent by default.
   */
  readonly agent?: string;
  /** The endpoint's path, below the global prefix; `mcp` by default. */
  readonly path?: string;
  /** Modules whose exports the guards in `decorators` need; none by default. */
  readonly imports?: ModuleMetadata['imports'];
  /** Decorators of the controller, such as `UseGuards(JwtAuthGuard)`; none by default. */
  readonly decorators?: readonly ClassDecorator[];
}

/**
 * Options of `McpServerModule.forRoot`.
 *
 * @example
 * import { type McpServerModuleOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpServerModuleOptions = {
 *   imports: [AuthModule],
 *   decorators: [UseGuards(JwtAuthGuard)],
 * };
 */
export interface McpServerModuleOptions extends McpServerOptions, McpServerStaticOptions {}

/**
 * Options of `McpServerModule.forRootAsync`.
 *
 * @typeParam Dependencies the types of the providers in `inject`, in order
 * @example
 * import { type McpServerModuleAsyncOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpServerModuleAsyncOptions<[Settings]> = {
 *   imports: [SettingsModule],
 *   inject: [Settings],
 *   useFactory: (settings) => ({ instructions: settings.prompt }),
 * };
 */
export interface McpServerModuleAsyncOptions<
  Dependencies extends unknown[] = never[],
> extends McpServerStaticOptions {
  /** Tokens of the factory's parameters; none by default. */
  readonly inject?: FactoryProvider['inject'];
  /** Returns the options, or a promise of them. */
  readonly useFactory: (
    ...dependencies: Dependencies
  ) => McpServerOptions | Promise<McpServerOptions>;
}
