import type { FactoryProvider, ModuleMetadata } from '@nestjs/common';
import type { FunctionToolOptions } from '../../../registry';
import type { Permission, ToolContext } from '../../../tool';

/**
 * HTTP headers for a server, or a function that returns them for a caller. Its argument is the
 * context of the call; there is none when the module connects to list the tools.
 */
export type McpClientHeaders =
  | Readonly<Record<string, string>>
  | ((
      ctx?: ToolContext,
    ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/**
 * Selects a server's tools, and sets their names and options. All names here are the server's own;
 * `*` in `include` and `exclude` stands for any characters.
 *
 * @example
 * import { type McpClientToolsOptions } from 'nestjs-agent/mcp';
 *
 * const tools: McpClientToolsOptions = {
 *   include: ['list_*', 'create_issue'],
 *   exclude: ['list_secrets'],
 *   rename: { create_issue: 'open_issue' },
 *   options: { list_issues: { permission: 'allow', readOnly: true } },
 * };
 */
export interface McpClientToolsOptions {
  /** Only these tools; all by default. */
  readonly include?: readonly string[];
  /** Not these tools, even if `include` names them; none by default. */
  readonly exclude?: readonly string[];
  /** New names; the prefix is added to them, too. */
  readonly rename?: Readonly<Record<string, string>>;
  /**
   * Options of single tools, as with `@Tool`. They override the server's hints. A call is repeated
   * after a failure only if `readOnly` or `idempotent` is set here.
   */
  readonly options?: Readonly<Record<string, Omit<FunctionToolOptions, 'examples'>>>;
}

/**
 * Options that all servers share.
 *
 * @example
 * import { type McpClientCommonOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpClientCommonOptions = { prefix: 'gh_', permission: 'ask', timeoutMs: 60_000 };
 */
export interface McpClientCommonOptions {
  /** Prefix of each tool's name; may be empty. The server's name and `_` by default. */
  readonly prefix?: string;
  /** Selection, names and options of the tools; by default all tools, unchanged. */
  readonly tools?: McpClientToolsOptions;
  /**
   * Whether to believe the server's claims about its tools, to add its instructions to the system
   * prompt, and to accept changes of its tools; `false` by default.
   */
  readonly trust?: boolean;
  /**
   * The permission of every tool; `ask` by default. With `trust`, tools with a hint that they are
   * read-only or not destructive are allowed by default; the others ask.
   */
  readonly permission?: Permission;
  /**
   * Text for the system prompt while a tool of the server is offered; `false` for none. By default,
   * with `trust`, the server's own instructions, cut at 2 000 characters; else none.
   */
  readonly instructions?: string | false;
  /** Whether the boot fails if the server cannot be reached; `false` by default. */
  readonly required?: boolean;
  /** Milliseconds to connect, and to list all tools again; 10 000 by default. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds that a call may take without progress; 30 000 by default. */
  readonly timeoutMs?: number;
  /** Milliseconds that a call may take in total; 300 000 by default. */
  readonly maxTotalMs?: number;
  /** The most tools to take from the server; 128 by default. */
  readonly maxTools?: number;
  /** The most bytes of one tool's schemas and description as JSON; 65 536 by default. */
  readonly maxSchemaBytes?: number;
}

/**
 * A server over Streamable HTTP.
 *
 * @example
 * import { type McpClientHttpOptions } from 'nestjs-agent/mcp';
 *
 * const server: McpClientHttpOptions = {
 *   url: 'https://mcp.example.com/mcp',
 *   headers: { authorization: `Bearer ${process.env['EXAMPLE_TOKEN'] ?? ''}` },
 * };
 */
export interface McpClientHttpOptions extends McpClientCommonOptions {
  /** The endpoint's absolute address. */
  readonly url: string;
  /**
   * Sent with each request to the server's origin, and to no other; none by default. With a
   * function, each principal has a connection of its own.
   */
  readonly headers?: McpClientHeaders;
  /** An `AuthProvider` or `OAuthClientProvider` of `@modelcontextprotocol/client`; none by default. */
  readonly authProvider?: object;
}

/**
 * A server that the application starts as a child process and talks to over stdin and stdout.
 *
 * @example
 * import { type McpClientStdioOptions } from 'nestjs-agent/mcp';
 *
 * const server: McpClientStdioOptions = {
 *   command: 'npx',
 *   args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/documents'],
 * };
 */
export interface McpClientStdioOptions extends McpClientCommonOptions {
  /** The program to run, without a shell. */
  readonly command: string;
  /** Its arguments; none by default. */
  readonly args?: readonly string[];
  /**
   * Environment variables in addition to the few safe ones that every child gets; none by default.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working directory; the application's by default. */
  readonly cwd?: string;
}

/** A server of the Model Context Protocol. */
export type McpClientServer = McpClientHttpOptions | McpClientStdioOptions;

/**
 * Options of `McpClientModule.forRoot`.
 *
 * @example
 * import { type McpClientOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpClientOptions = {
 *   servers: {
 *     docs: { url: 'https://docs.example.com/mcp', trust: true },
 *     files: { command: 'mcp-server-filesystem', args: ['/srv/documents'] },
 *   },
 * };
 */
export interface McpClientOptions {
  /** The servers by name: 1 to 32 letters, digits, `_` or `-`. */
  readonly servers: Readonly<Record<string, McpClientServer>>;
}

/**
 * Options of `McpClientModule.forRootAsync`.
 *
 * @typeParam Dependencies the types of the providers in `inject`, in order
 * @example
 * import { type McpClientAsyncOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpClientAsyncOptions<[Settings]> = {
 *   imports: [SettingsModule],
 *   inject: [Settings],
 *   useFactory: () => ({ servers: { docs: { url: 'https://docs.example.com/mcp' } } }),
 * };
 */
export interface McpClientAsyncOptions<Dependencies extends unknown[] = never[]> {
  /** Modules that export the providers in `inject`; none by default. */
  readonly imports?: ModuleMetadata['imports'];
  /** The tokens of the factory's arguments; none by default. */
  readonly inject?: FactoryProvider['inject'];
  /** Makes the options. */
  readonly useFactory: (
    ...dependencies: Dependencies
  ) => McpClientOptions | Promise<McpClientOptions>;
}
