import type { JsonObject } from '../../../message';
import { AgentError, type ToolInvocation } from '../../../tool';
import { PrincipalConnections, type McpConnection, type Outgoing } from '../connection';
import type { ServerSettings } from '../options';
import { callFailureOf, pacedProgress, ServerUnavailableError, toolResultOf } from '../results';
import type { RemoteTool } from '../tools';
import type { Credentials } from './credentials';

/** The time in which an answer may still arrive after its stream has ended. */
const LATE_MS = 250;

/** Failures to connect that lie with the caller, not with the server. */
const OF_CALLER: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'mcp_headers_failed']);

interface CallSurroundings {
  readonly settings: ServerSettings;
  readonly credentials: Credentials;
  readonly mask: (text: string) => string;
  readonly warn: (problem: string) => void;
  /** The connection that all callers share, if it is open. */
  readonly shared: () => McpConnection | undefined;
  /** Opens a connection for one principal. */
  readonly connect: (lost: () => void) => McpConnection;
}

/** Sends calls to a server, each over the connection of its caller. */
export class RemoteCalls {
  private readonly principals = new PrincipalConnections();
  private readonly mismatched = new Set<string>();

  constructor(private readonly surroundings: CallSurroundings) {}

  readonly run = async (
    tool: RemoteTool,
    invocation: ToolInvocation,
    timeoutMs: number,
  ): Promise<unknown> => {
    const { credentials, mask, warn } = this.surroundings;
    const outgoing = credentials.ofCall(invocation.context);
    const connection = await this.connectionFor(invocation, outgoing);
    const isReadOnly = invocation.context.call.tool?.traits.readOnly === true;
    const answer = await this.answerOf(
      { tool, invocation, timeoutMs, isReadOnly },
      connection,
      outgoing,
    );
    return toolResultOf(answer, tool, { isReadOnly, mask }, () => {
      if (this.mismatched.has(tool.name)) return;
      this.mismatched.add(tool.name);
      warn(
        `A result of ${JSON.stringify(mask(tool.name).slice(0, 80))} does not fit its outputSchema.`,
      );
    });
  };

  close(): Promise<void> {
    return this.principals.close();
  }

  private async connectionFor(
    { context }: ToolInvocation,
    outgoing: Outgoing,
  ): Promise<McpConnection> {
    const { settings, credentials, shared } = this.surroundings;
    const connection = credentials.isPerPrincipal
      ? await this.ownConnection(context.principal, outgoing)
      : shared();
    if (connection === undefined) throw new ServerUnavailableError(settings.name);
    return connection;
  }

  private async ownConnection(
    principal: string | undefined,
    outgoing: Outgoing,
  ): Promise<McpConnection> {
    try {
      return await this.principals.get(principal, () => this.open(outgoing));
    } catch (error) {
      // The client wraps the errors of its first request.
      const { cause } = error as { cause?: unknown };
      const { error: failure } = callFailureOf(cause instanceof AgentError ? cause : error, {
        ...this.described(0, true),
        isCancelled: false,
        isLost: false,
      });
      // Nothing was sent yet, so the call had no effect.
      throw OF_CALLER.has(failure.code)
        ? failure
        : new ServerUnavailableError(this.surroundings.settings.name);
    }
  }

  private open(outgoing: Outgoing): { connection: McpConnection; opened: Promise<void> } {
    const connection = this.surroundings.connect(() => this.principals.remove(connection));
    return { connection, opened: connection.open(outgoing) };
  }

  private async answerOf(
    call: {
      readonly tool: RemoteTool;
      readonly invocation: ToolInvocation;
      readonly timeoutMs: number;
      readonly isReadOnly: boolean;
    },
    connection: McpConnection,
    outgoing: Outgoing,
  ): Promise<unknown> {
    const { tool, invocation, timeoutMs, isReadOnly } = call;
    const { context } = invocation;
    const { settings, mask } = this.surroundings;
    const ended = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const streamEnded = (): void => {
      timer = setTimeout(() => ended.abort(), LATE_MS);
    };
    try {
      return await connection.call(
        // As the tool's `bind` returned them.
        { name: tool.name, arguments: invocation.args as JsonObject },
        {
          signal: AbortSignal.any([context.signal, ended.signal]),
          timeout: timeoutMs,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: settings.maxTotalMs,
          onprogress: pacedProgress((data) => context.emit(data), mask),
          // Without the output schema: the client would check results by other rules.
          toolDefinition: {
            name: tool.name,
            inputSchema: { ...tool.sentInputSchema, type: 'object' },
          },
        },
        { ...outgoing, streamEnded },
      );
    } catch (thrown) {
      const { error, isLost } = callFailureOf(thrown, {
        ...this.described(timeoutMs, isReadOnly),
        isCancelled: context.signal.aborted,
        isLost: ended.signal.aborted,
      });
      if (isLost) connection.lose();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private described(timeoutMs: number, isReadOnly: boolean) {
    const { settings, mask } = this.surroundings;
    return { server: settings.name, timeoutMs, isReadOnly, mask };
  }
}
