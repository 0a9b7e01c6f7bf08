import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { settledWithin } from '../internal';

/** The time for requests that are on their way while the server stops listening. */
const LAST_REQUESTS_MS = 200;
/** Maximum number of turns of the event loop in which waiting connections are accepted. */
const MAX_TURNS = 1_000;

/**
 * While the application shuts down, each of its answers closes its connection. A proxy keeps none
 * for a request that would meet a closed one, and a client that never pauses cannot keep Node's
 * server, which waits for its connections, from closing.
 *
 * Node's server closes idle connections when it stops listening: a request in flight on one of them
 * would be lost, and no proxy repeats a POST. So after a signal it stops listening first, and answers
 * requests for a moment more.
 */
@Injectable()
export class LastAnswers implements OnModuleDestroy, BeforeApplicationShutdown {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleDestroy(): void {
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    server?.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      // HTTP/2 knows no such header.
      if (request.httpVersionMajor < 2) response.setHeader('connection', 'close');
    });
  }

  /** @param signal stops the application; without one it closes itself, and no requests are on their way */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    if (signal === undefined || server?.listening !== true) return;
    await acceptWaiting(server);
    const closed = once(server, 'close');
    // Not the HTTP server's own, which closes idle connections.
    Server.prototype.close.call(server);
    await settledWithin(closed, LAST_REQUESTS_MS);
  }
}

/** Those that wait to be accepted are reset once the server no longer listens. A turn accepts one. */
async function acceptWaiting(server: Server): Promise<void> {
  let isAccepting = true;
  const accept = (): void => void (isAccepting = true);
  server.on('connection', accept);
  for (let count = 0; isAccepting && count < MAX_TURNS; count += 1) {
    isAccepting = false;
    // The first turn may be over before the connections are looked at.
    await turn();
    await turn();
  }
  server.off('connection', accept);
}
