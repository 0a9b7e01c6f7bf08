import { duplexPair, type Duplex } from 'node:stream';
import type { Caller } from './dispatcher';

/** What TLS-aware guards ask of a connection. */
const TLS_METHODS = ['getPeerCertificate', 'getPeerX509Certificate', 'getCipher', 'getProtocol'];
const TLS_STATE = ['authorized', 'authorizationError'];

/**
 * Both ends of a connection that never leaves the process. Each end closes the other, so that
 * either side sees the other's abort.
 */
export function connectionPair(caller: Caller): readonly [client: Duplex, server: Duplex] {
  const [client, server] = duplexPair();
  client.once('close', () => server.destroy());
  server.once('close', () => client.destroy());
  for (const side of [client, server]) {
    // Destroyed with an error, a side without a listener would bring the process down.
    side.on('error', () => undefined);
    Object.assign(side, socketMethods(side));
  }
  Object.assign(server, callerProperties(caller));
  return [client, server];
}

/** What `http` and the frameworks call on a socket besides the stream. */
function socketMethods(side: Duplex): object {
  const self = () => side;
  return { setTimeout: self, setNoDelay: self, setKeepAlive: self, ref: self, unref: self };
}

function callerProperties({ remoteAddress, isEncrypted, connection }: Caller): object {
  const properties: Record<string, unknown> = {
    remoteAddress,
    remoteFamily: remoteAddress?.includes(':') ? 'IPv6' : 'IPv4',
  };
  if (!isEncrypted) return properties;
  properties.encrypted = true;
  const source = (connection ?? {}) as Record<string, unknown>;
  for (const name of TLS_STATE) if (name in source) properties[name] = source[name];
  for (const name of TLS_METHODS) {
    const method = source[name];
    if (typeof method === 'function') properties[name] = method.bind(source);
  }
  return properties;
}
