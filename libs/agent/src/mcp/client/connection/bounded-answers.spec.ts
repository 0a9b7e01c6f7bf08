import type { Transport } from '@modelcontextprotocol/client';
import { boundAnswers } from './bounded-answers';
import { type Outgoing, OutgoingScope } from './outgoing';

describe('answers to a server that asks during a call', () => {
  it('have the call’s headers, and do not end it with their responses', async () => {
    const scope = new OutgoingScope();
    const sent: (Outgoing | undefined)[] = [];
    const transport = {
      send: () => {
        sent.push(scope.get());
        return Promise.resolve();
      },
    } as unknown as Transport;
    boundAnswers(transport, scope);
    const outgoing: Outgoing = {
      headers: () => Promise.resolve({}),
      authorized: jest.fn(),
      streamEnded: jest.fn(),
    };
    await scope.run(outgoing, async () => {
      await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
      await transport.send({ jsonrpc: '2.0', id: 'ping', result: {} });
    });
    expect(sent).toEqual([outgoing, { ...outgoing, streamEnded: undefined }]);
  });
});
