import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { defined } from '../../internal';
import { jsonBodyOf } from '../../http/body';
import { CallerResolver } from '../../http/caller';
import type { Exchange } from '../../http/endpoint';
import { logInternal } from '../../http/errors';
import { acceptsEventStream } from '../../http/sse';
import { bodyOf, headerOf, nodeRequest, whileConnected } from '../../http/wire';
import type { JsonObject } from '../../message';
import { challengeHeader } from '../auth';
import { ChangeStreams } from '../changes';
import {
  elicitsForms,
  eraOf,
  newMcpSessionId,
  OpenQuestions,
  Reply,
  type RequestEra,
  RunningRequests,
  type Sender,
  SESSION_ID_HEADER,
} from '../endpoint';
import { capabilitiesOf, McpMethods } from '../methods';
import {
  errorMessage,
  isId,
  type McpContext,
  RPC,
  resultMessage,
  RpcError,
  rpcIdOf,
  rpcMessageOf,
  type RpcNotification,
  type RpcRequest,
} from '../protocol';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { rpcErrorOf, unreadable } from './rpc-failure';

/** Serves the one URL of MCP, after all guards. */
@Injectable()
export class McpEndpoint implements BeforeApplicationShutdown {
  private readonly logger = new Logger('AgentMcp');
  private readonly questions = new OpenQuestions();
  private readonly running = new RunningRequests();

  constructor(
    private readonly methods: McpMethods,
    private readonly streams: ChangeStreams,
    private readonly callers: CallerResolver,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  beforeApplicationShutdown(): void {
    this.questions.close();
  }

  /** One message. */
  async post(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    try {
      this.checkOrigin(request);
      const message = rpcMessageOf(jsonBodyOf(request));
      switch (message.type) {
        case 'request':
          return await this.serve(message, exchange);
        case 'notification':
          this.notified(message, request);
          break;
        case 'answer':
          this.questions.take(
            { answer: message, request },
            this.callers.resolve(request).principal,
          );
      }
      response.send(202);
    } catch (error) {
      this.refuse(exchange, unreadable(error));
    }
  }

  /** The stream of legacy clients for change notifications. */
  get(exchange: Exchange): void {
    const { request, response } = exchange;
    // Express serves HEAD as GET: a stream without a body would stay open.
    const isGet = nodeRequest(request).method === 'GET';
    const accepts = acceptsEventStream(request);
    if (!isGet || !accepts || !this.settings.listChanged) return this.notAllowed(exchange);
    try {
      this.checkOrigin(request);
      this.streams.get(this.callers.resolve(request).principal, response);
    } catch (error) {
      this.refuse(exchange, unreadable(error));
    }
  }

  /** Any other HTTP method. */
  notAllowed(exchange: Exchange): void {
    const error = new RpcError(
      RPC.invalidRequest,
      'Method not allowed: send messages with POST.',
      405,
    );
    const allow = this.settings.listChanged ? 'POST, GET' : 'POST';
    try {
      this.checkOrigin(exchange.request);
      exchange.response.json(405, errorMessage(null, error), { allow });
    } catch (refusal) {
      this.refuse(exchange, unreadable(refusal));
    }
  }

  private checkOrigin(request: unknown): void {
    const origin = headerOf(request, 'origin');
    if (origin === undefined || this.settings.isAllowedOrigin(origin)) return;
    throw new RpcError(
      RPC.invalidRequest,
      'This origin is not allowed. Add it to "allowedOrigins" of McpServerModule.',
      403,
    );
  }

  private async serve(message: RpcRequest, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const era = eraOf(message, request);
    const sender = this.senderOf(request);
    if (era.isModern && message.method === 'subscriptions/listen' && this.settings.listChanged) {
      if (acceptsEventStream(request)) {
        return this.streams.listen(message, sender.principal, response);
      }
      throw new RpcError(
        RPC.invalidRequest,
        'This method answers with an event stream: accept "text/event-stream".',
        400,
      );
    }
    const reply = new Reply(response, acceptsEventStream(request));
    const abort = new AbortController();
    const stops = era.isModern
      ? response.onDisconnect(() => abort.abort())
      : this.running.add(sender, message.id, abort);
    reply.openLater();
    try {
      const context = this.contextOf(era, sender, reply, {
        ...exchange,
        signal: abort.signal,
      });
      const result = await this.methods.call(message.method, message.params, context);
      reply.finish(200, resultMessage(message.id, result), sessionHeader(message, era));
    } catch (error) {
      if (!(error instanceof RpcError)) logInternal(error, this.logger);
      const rpcError = rpcErrorOf(error);
      const headers = challengeHeader(error, true, this.settings.auth);
      reply.finish(statusOf(rpcError, era), errorMessage(message.id, rpcError), headers);
    } finally {
      stops();
    }
  }

  private contextOf(
    { isModern, elicits, client }: RequestEra,
    { principal }: Sender,
    reply: Reply,
    { request, response, signal }: Exchange & { readonly signal: AbortSignal },
  ): McpContext {
    const send = (message: object): void => reply.send({ jsonrpc: '2.0', ...message });
    const canAsk = !isModern && reply.canStream;
    return {
      isModern,
      elicits,
      caller: defined({
        ...{ request, signal, principal, client },
        canStepUp: this.settings.auth !== undefined,
      }),
      notify: (method, params) => send({ method, params }),
      ...(canAsk && {
        // A client that has disconnected cannot answer on its stream any more.
        ask: (method: string, params: JsonObject, timeoutMs: number) =>
          whileConnected(response, (connected) =>
            this.questions.ask(
              principal,
              (questionId) => send({ id: questionId, method, params }),
              timeoutMs,
              AbortSignal.any([signal, connected]),
            ),
          ),
      }),
    };
  }

  private notified({ method, params }: RpcNotification, request: unknown): void {
    const { requestId: id } = params;
    if (method !== 'notifications/cancelled' || !isId(id)) return;
    this.running.cancel(this.senderOf(request), id);
  }

  private senderOf(request: unknown): Sender {
    const { principal } = this.callers.resolve(request);
    const sessionId = headerOf(request, SESSION_ID_HEADER)?.slice(0, 100);
    return defined({ principal, sessionId });
  }

  private refuse({ request, response }: Exchange, error: RpcError): void {
    response.json(error.status, errorMessage(rpcIdOf(bodyOf(request)), error));
  }
}

/** Legacy clients read errors of methods from answers with status 200. */
function statusOf({ code, status }: RpcError, { isModern }: RequestEra): number {
  const isOfMethod = code === RPC.methodNotFound || code === RPC.invalidParams;
  return !isModern && isOfMethod ? 200 : status;
}

function sessionHeader(
  { method, params }: RpcRequest,
  { isModern }: RequestEra,
): Readonly<Record<string, string>> {
  if (isModern || method !== 'initialize') return {};
  return { [SESSION_ID_HEADER]: newMcpSessionId(elicitsForms(capabilitiesOf(params))) };
}
