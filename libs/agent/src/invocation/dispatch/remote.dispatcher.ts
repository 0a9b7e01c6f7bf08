import type { buildConnector, Pool } from 'undici';
import { AgentError } from '../../tool';
import type { CallerConnection, Dispatcher, RouteRequest, RouteResponse } from './dispatcher';

const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than tools' timeouts, which close the connection first. */
const SILENCE_TIMEOUT_MS = 300_000;

/**
 * Sends requests to an address that is fixed at boot; neither caller nor model can change it.
 * Redirects are not followed.
 */
export class RemoteDispatcher implements Dispatcher {
  private readonly pool: Pool;
  private readonly basePath: string;

  /** @throws AgentError `invalid_options` unless the address is a plain `http(s)` URL */
  constructor(baseUrl: string) {
    const undici = require('undici') as typeof import('undici');
    const url = parsedBaseUrl(baseUrl);
    this.basePath = url.pathname.replace(/\/+$/, '');
    this.pool = new undici.Pool(url.origin, {
      connect: connector(undici.buildConnector({ timeout: CONNECT_TIMEOUT_MS })),
      headersTimeout: SILENCE_TIMEOUT_MS,
      bodyTimeout: SILENCE_TIMEOUT_MS,
    });
  }

  async dispatch(
    { method, path, headers, body }: RouteRequest,
    _caller: CallerConnection,
    signal: AbortSignal,
  ): Promise<RouteResponse> {
    const response = await this.pool.request({
      method,
      path: this.basePath + path,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : [...value],
        ]),
      ),
      body: body ?? null,
      signal,
    });
    // A reader that stops destroys the body, which undici reports as an error.
    response.body.on('error', () => undefined);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
    };
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }
}

/** TLS verifies the address's own name, even if the request has another host. */
function connector(connect: buildConnector.connector): buildConnector.connector {
  return ({ hostname, host, protocol, port }, callback) =>
    connect({ hostname, protocol, port, ...(host !== undefined && { host }) }, callback);
}

function parsedBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain =
    url !== undefined &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  if (isPlain) return url;
  throw new AgentError(
    'invalid_options',
    'dispatch.baseUrl must be an http or https address with neither credentials, query nor fragment, such as "https://api.example.com/v2".',
  );
}
