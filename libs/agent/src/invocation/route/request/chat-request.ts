import { defined } from '../../../internal';
import type { LocalAddress } from '../../dispatch';

/** The data of a request about its client. */
interface Client {
  readonly ip?: string;
  readonly protocol?: string;
  readonly hostname?: string;
  readonly local?: LocalAddress;
}

/** The used properties of Express's and Fastify's chat request. */
interface ChatRequest extends Client {
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket?: LocalAddress & {
    readonly remoteAddress?: string;
    readonly encrypted?: boolean;
    readonly destroyed?: boolean;
  };
}

/** The clients of runs, by their requests. */
const clients = new WeakMap<object, Client>();

/**
 * Keeps a request's client for the rest of the request's run. A closed connection has no address, and
 * without the address no proxy is trusted.
 */
export function keepClient(request: unknown): void {
  try {
    const chat = chatRequestOf(request);
    const { protocol, hostname, socket } = chat;
    // A request without a connection is the application's own, which may change it.
    if (socket === undefined || clients.has(request as object)) return;
    const client = { ip: addressOf(chat), protocol, hostname, local: localOf(socket) };
    clients.set(request as object, defined(client));
  } catch {
    // Its calls fail where they read it.
  }
}

/** Any other value has no properties. */
export function chatRequestOf(request: unknown): ChatRequest {
  if (typeof request !== 'object' || request === null) return {};
  const known = clients.get(request);
  if (known === undefined) return request;
  const { headers, socket } = request as ChatRequest;
  return socket?.destroyed === true ? { ...defined({ headers, socket }), ...known } : request;
}

/** The client's address. Where a plugin that reads it from headers finds none, `ip` is empty. */
export function addressOf({ ip, socket }: ChatRequest): string | undefined {
  return ip === undefined || ip === '' ? socket?.remoteAddress : ip;
}

/** The server's end of a connection. */
export function localOf({ localAddress, localPort, localFamily }: LocalAddress = {}): LocalAddress {
  return defined({ localAddress, localPort, localFamily });
}
