import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/**
 * While the application shuts down, each of its answers closes its connection. A proxy keeps none
 * for a request that would meet a closed one, and a client that never pauses cannot keep Node's
 * server, which waits for its connections, from closing.
 */
@Injectable()
export class LastAnswers implements OnModuleDestroy {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleDestroy(): void {
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    server?.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      // HTTP/2 knows no such header.
      if (request.httpVersionMajor < 2) response.setHeader('connection', 'close');
    });
  }
}
