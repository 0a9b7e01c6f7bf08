import { Inject, Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../message';
import type { TakenResponse } from '../../http/wire';
import { Reply } from '../endpoint';
import { invalidParams, META, resultMessage, type RpcRequest } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { ListChanges } from './list-changes';
import { OpenStreams } from './open-streams';

const TOOLS_CHANGED = 'notifications/tools/list_changed';

interface StreamMessages {
  readonly first?: object;
  readonly changed?: object;
  readonly last?: object;
}

/** Streams of change notifications: `subscriptions/listen`, and the GET stream of legacy clients. */
@Injectable()
export class ChangeStreams {
  constructor(
    private readonly changes: ListChanges,
    private readonly streams: OpenStreams,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  /**
   * Serves `subscriptions/listen` until its client disconnects or the application stops.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
   * @throws RpcError if the request is wrong or there are too many streams
   */
  listen({ id, params }: RpcRequest, principal: string | undefined, response: TakenResponse): void {
    const { notifications } = params;
    if (!isJsonObject(notifications)) throw invalidParams('"notifications" must be an object.');
    const wantsTools = notifications['toolsListChanged'] === true;
    const tag = { [META.subscriptionId]: id };
    const { name, version } = this.settings;
    this.open(principal, response, {
      first: notification('notifications/subscriptions/acknowledged', {
        notifications: wantsTools ? { toolsListChanged: true } : {},
        _meta: tag,
      }),
      ...(wantsTools && { changed: notification(TOOLS_CHANGED, { _meta: tag }) }),
      last: resultMessage(id, {
        resultType: 'complete',
        _meta: { ...tag, [META.serverInfo]: { name, version } },
      }),
    });
  }

  /** Serves the GET stream of legacy clients. @throws RpcError if there are too many streams */
  get(principal: string | undefined, response: TakenResponse): void {
    this.open(principal, response, { changed: notification(TOOLS_CHANGED) });
  }

  private open(
    principal: string | undefined,
    response: TakenResponse,
    { first, changed, last }: StreamMessages,
  ): void {
    const reply = new Reply(response, true);
    const undo: (() => void)[] = [];
    const stop = (): void => {
      for (const each of undo.splice(0)) each();
    };
    undo.push(
      this.streams.add(principal, () => {
        stop();
        if (last === undefined) reply.close();
        else reply.finish(200, last);
      }),
    );
    reply.open();
    if (first !== undefined) reply.send(first);
    if (changed !== undefined) undo.push(this.changes.listen(() => reply.send(changed)));
    undo.push(
      response.onDisconnect(() => {
        stop();
        reply.close();
      }),
    );
  }
}

function notification(method: string, params?: JsonObject): object {
  return { jsonrpc: '2.0', method, ...(params && { params }) };
}
