import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { react } from 'nestjs-agent';
import { describeChatModel } from 'nestjs-agent/testing';
import { gateway } from '../../../examples/custom-model/src/gateway.model';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function destroy(): void {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
}

// #region contract
describeChatModel('gateway()', {
  answering: async () => gateway(await serve((_, response) => response.end('Hello.'))),
  failing: async () => gateway(await serve((_, response) => response.writeHead(500).end())),
  hanging: async () => gateway(await serve((_, response) => response.write('Hel'))),
  destroy,
});
// #endregion contract

describeChatModel('react(gateway())', {
  answering: async () => react(gateway(await serve((_, response) => response.end('Hello.')))),
  calling: async () =>
    react(
      gateway(
        await serve((_, response) =>
          response.end('<tool_call>{"name": "add", "arguments": {"a": 2, "b": 40}}</tool_call>'),
        ),
      ),
    ),
  destroy,
});
