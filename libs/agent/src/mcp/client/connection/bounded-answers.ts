import type { Transport } from '@modelcontextprotocol/client';

/** The most answers to the server's own requests that are under way at the same time. */
const MOST = 8;

type Send = (message: object, options?: unknown) => Promise<void>;

/**
 * Drops answers to the server's own requests while too many are under way. A server that asks without
 * end and takes no answer would otherwise fill the memory, or have connections opened without end.
 */
export function boundAnswers(transport: Transport): void {
  const send = (transport.send as Send).bind(transport);
  let underWay = 0;
  const bounded: Send = async (message, options) => {
    if ('method' in message) return send(message, options);
    if (underWay === MOST) return;
    underWay += 1;
    try {
      await send(message, options);
    } finally {
      underWay -= 1;
    }
  };
  transport.send = bounded;
}
