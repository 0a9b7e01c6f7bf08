import { request as startRequest, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { resultText } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { IdentityController, RequestUser, TokenGuard } from './route-tools/identity.controller';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

const viaProxy = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };

describe.each<AdapterName>(['express', 'fastify'])(
  'a route call on %s of a run that outlives its client',
  (adapter) => {
    /** The state of the request in a handler whose client disconnected before the call. */
    async function seenOf(headers: Record<string, string>, trustProxy?: string): Promise<unknown> {
      let leave!: () => void;
      const left = new Promise<void>((resolve) => (leave = resolve));
      let answer!: (result: string) => void;
      const answered = new Promise<string>((resolve) => (answer = resolve));
      const model = new ScriptedModel([
        async () => {
          await left;
          return { toolCalls: [{ name: 'show_request' }] };
        },
        ({ messages }) => {
          const result = messages.at(-1)?.content[0];
          answer(result?.type === 'tool_result' ? resultText(result.content) : '');
          return 'Done.';
        },
      ]);
      const tools = await RouteToolApplication.start({
        adapter,
        controllers: [IdentityController],
        providers: [RequestUser, TokenGuard],
        options: { model, onDisconnect: 'continue' },
        ...(trustProxy !== undefined && { trustProxy }),
      });
      await tools.app.listen(0, '127.0.0.1');
      const server = tools.app.getHttpServer() as Server;
      server.once('connection', (socket: Socket) => socket.once('close', leave));
      const { port } = server.address() as AddressInfo;
      const client = startRequest(
        {
          ...{ port, path: '/agent/chat/stream', method: 'POST' },
          headers: { 'content-type': 'application/json', ...headers },
        },
        (response) => response.once('data', () => response.destroy()),
      );
      client.end(JSON.stringify({ message: 'Who am I?' }));
      const { ip, protocol } = JSON.parse(await answered) as Record<string, unknown>;
      await tools.close();
      return { ip, protocol };
    }

    it('comes from that client’s address', async () => {
      expect(await seenOf({})).toEqual({ ip: '127.0.0.1', protocol: 'http' });
    });

    it('comes from the client behind a trusted proxy', async () => {
      expect(await seenOf(viaProxy, 'loopback')).toEqual({ ip: '203.0.113.9', protocol: 'https' });
    });
  },
);
