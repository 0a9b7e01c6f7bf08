import { pipeline, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { decoderOf, once } from '../../internal';

/** The part of a response that is needed to read an answer. */
export interface AnswerResponse {
  readonly body: Response['body'] | Readable;
}

/**
 * The `fetch` of the models' SDKs. It uses the dispatcher of Node's own `fetch`, so that a proxy
 * set there applies here, but not its web streams, which cost more than the rest of a turn.
 * `providerFetch` decides about redirections.
 *
 * Its result has only those fields of a `Response` that an SDK reads before it returns the
 * response.
 */
export const modelFetch: typeof fetch = async (input, init) => {
  const { body, method = 'GET', headers, signal } = init ?? {};
  if (typeof body !== 'string' || typeof input !== 'string') return fetch(input, init);
  const { request } = await undici();
  const response = await request(input, {
    method,
    headers: headers instanceof Headers ? headers : new Headers(headers),
    body,
    signal: signal ?? null,
    // The watchdog limits silence.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const { statusCode: status } = response;
  const answer = { ok: status < 300, status, url: input, headers: headersOf(response) };
  const withBody = { ...answer, body: decompressed(response) };
  return withBody satisfies AnswerResponse as unknown as Response;
};

/** Loaded with the first answer: undici is half as large as all of Nest. */
const undici = once(() => import('undici'));

/** Requests do not ask for compression, but a proxy may compress anyway. */
function decompressed({ body, headers }: Dispatcher.ResponseData): Readable {
  const decoder = decoderOf(String(headers['content-encoding'] ?? ''));
  // The reader of the output gets the error.
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

/** The part of `Headers` that an SDK reads, without their checks. */
function headersOf({ headers }: Dispatcher.ResponseData): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
