import { once } from '../../../internal';
import type { AgentDepth } from '../../../invocation';
import { AgentError, type ToolContext } from '../../../tool';
import type { Outgoing, Secrets } from '../connection';
import type { McpClientHeaders, ServerSettings } from '../options';

/** The headers of requests to one server. Of the chat's request only the depth is passed on. */
export class Credentials {
  /** Whether callers have different headers, so that they must not share a connection. */
  readonly isPerPrincipal: boolean;

  constructor(
    private readonly settings: ServerSettings,
    private readonly secrets: Secrets,
    private readonly depth: AgentDepth,
    /** Receives errors of the application's `headers` function. */
    private readonly failed: (error: unknown) => void,
  ) {
    const { endpoint } = settings;
    this.isPerPrincipal = 'url' in endpoint && typeof endpoint.headers === 'function';
    secrets.configure(configuredValues(endpoint));
  }

  /** For the module's own requests. Headers are computed for each, since tokens expire. */
  readonly ofModule: Outgoing = {
    headers: () => this.headers(),
    authorized: (value) => this.secrets.add([value]),
  };

  /**
   * For the requests of one call.
   *
   * @throws RouteResponseError if the agent reached itself too often
   */
  ofCall(context: ToolContext): Outgoing {
    if ('command' in this.settings.endpoint) return this.ofModule;
    const depth = this.depth.next(context.request);
    return { ...this.ofModule, headers: once(() => this.headers(context)), depth };
  }

  private async headers(context?: ToolContext): Promise<Readonly<Record<string, string>>> {
    const { endpoint } = this.settings;
    if (!('url' in endpoint)) return {};
    const { headers = {} } = endpoint;
    if (typeof headers !== 'function') return headers;
    const made = await this.made(headers, context);
    this.secrets.add(Object.values(made));
    return made;
  }

  private async made(
    headers: Extract<McpClientHeaders, (...args: never[]) => unknown>,
    context: ToolContext | undefined,
  ): Promise<Readonly<Record<string, string>>> {
    try {
      return await headers(context);
    } catch (error) {
      this.failed(error);
      throw new AgentError(
        'mcp_headers_failed',
        `The headers for the MCP server "${this.settings.name}" could not be made.`,
        { cause: error },
      );
    }
  }
}

/** The configured values that requests or the child process receive, to be masked. */
function configuredValues(endpoint: ServerSettings['endpoint']): readonly string[] {
  if ('command' in endpoint) {
    const entries = Object.entries(endpoint.env ?? {});
    return entries.flatMap(([name, value]) => (isPath(name, value) ? [] : [value]));
  }
  const { url, headers = {} } = endpoint;
  const { search, searchParams } = new URL(url);
  // A server may quote its address as it was sent.
  const encoded = search
    .slice(1)
    .split('&')
    .flatMap((part) => (part.includes('=') ? [part.slice(part.indexOf('=') + 1)] : []));
  return [
    ...searchParams.values(),
    ...encoded,
    ...(typeof headers === 'function' ? [] : Object.values(headers)),
  ];
}

/** Paths are not masked: the model must read those of a folder that a variable names. */
function isPath(name: string, value: string): boolean {
  return (
    !/key|token|secret|pass|pwd|auth|cred/i.test(name) &&
    /^(?:[a-z]:)?[\\/](?:[\w .-]+[\\/])*[\w .-]*$/i.test(value)
  );
}
