import type { CallerConnection } from './dispatcher';

/** Properties of a TLS connection that guards read. */
const TLS_METHODS = ['getPeerCertificate', 'getPeerX509Certificate', 'getCipher', 'getProtocol'];
const TLS_STATE = ['authorized', 'authorizationError'];

/** The properties of the caller's connection for the handler. */
export function callerPropertiesOf({
  remoteAddress,
  isEncrypted,
  local,
  connection,
}: CallerConnection): object {
  const properties: Record<string, unknown> = {
    ...local,
    remoteAddress,
    remoteFamily: remoteAddress?.includes(':') ? 'IPv6' : 'IPv4',
  };
  if (!isEncrypted) return properties;
  properties.encrypted = true;
  const source = (connection ?? {}) as Record<string, unknown>;
  for (const name of TLS_STATE) if (name in source) properties[name] = source[name];
  for (const name of TLS_METHODS) {
    const method: unknown = source[name];
    if (typeof method === 'function') {
      properties[name] = (...args: unknown[]) => Reflect.apply(method, source, args) as unknown;
    }
  }
  return properties;
}
