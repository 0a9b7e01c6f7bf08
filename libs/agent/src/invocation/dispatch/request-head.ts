import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { RouteRequest } from './dispatcher';

const TARGET = /^\/[\x21-\x7e]*$/;
const METHOD = /^[A-Z]+$/;

/** HTTP/1.1 requires a host; the default for requests without one. */
const NEUTRAL_HOST = 'localhost';

/**
 * The bytes of a request on a connection for one request.
 *
 * @throws TypeError for a method, path or header that would allow request injection
 */
export function requestBytes({ method, path, headers, body }: RouteRequest): Buffer {
  if (!METHOD.test(method) || !TARGET.test(path)) {
    throw new TypeError('A request needs a method of letters and a path of visible ASCII.');
  }
  let head = `${method} ${path} HTTP/1.1\r\n`;
  if (headers.host === undefined) head += `host: ${NEUTRAL_HOST}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    for (const each of typeof value === 'string' ? [value] : value) {
      validateHeaderValue(name, each);
      head += `${name}: ${each}\r\n`;
    }
  }
  if (body === undefined) return Buffer.from(`${head}connection: close\r\n\r\n`, 'latin1');
  const length = Buffer.byteLength(body);
  head += `content-length: ${length}\r\nconnection: close\r\n\r\n`;
  // Headers are Latin-1 on the wire, the body is UTF-8.
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.write(head, 0, 'latin1');
  bytes.write(body, head.length, 'utf8');
  return bytes;
}
