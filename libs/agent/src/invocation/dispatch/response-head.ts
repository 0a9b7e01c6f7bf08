import type { IncomingHttpHeaders } from 'node:http';

/** The first lines of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Node keeps the first value of these and drops others. */
const SINGLE = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'last-modified',
  'location',
  'retry-after',
  'server',
  'user-agent',
]);

/** @throws SyntaxError if the text is not the head of an HTTP response */
export function parseResponseHead(text: string): ResponseHead {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) throw new SyntaxError('The response has no status line.');
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new SyntaxError('The response has a malformed header.');
    add(headers, line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

/** Joins repeated headers, as Node's own client does. */
function add(headers: IncomingHttpHeaders, name: string, value: string): void {
  if (name === 'set-cookie') {
    (headers['set-cookie'] ??= []).push(value);
    return;
  }
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (!SINGLE.has(name)) headers[name] = `${String(before)}, ${value}`;
}
