import type { Transport } from '@modelcontextprotocol/client';
import type { OutgoingScope } from './outgoing';

/** The most answers to the server's own requests that are under way at the same time. */
const MOST = 8;

type Send = (message: object, options?: unknown) => Promise<void>;

/**
 * Answers the server's own requests, such as pings, beside the call on whose stream they come. Drops
 * answers while too many are under way: a server that asks without end and takes no answer would
 * otherwise fill the memory, or have connections opened without end.
 */
export function boundAnswers(transport: Transport, scope: OutgoingScope): void {
  const send = (transport.send as Send).bind(transport);
  let underWay = 0;
  const bounded: Send = async (message, options) => {
    if ('method' in message) return send(message, options);
    if (underWay === MOST) return;
    underWay += 1;
    try {
      await scope.runBeside(() => send(message, options));
    } finally {
      underWay -= 1;
    }
  };
  transport.send = bounded;
}
