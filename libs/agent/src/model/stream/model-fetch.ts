import { pipeline, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { decoderOf, once } from '../../internal';

/** As much of a response as an answer is read from. */
export interface AnswerResponse {
  readonly body: Response['body'] | Readable;
}

/**
 * The `fetch` that the models' SDKs send with. It takes the way of Node's own, through the same
 * dispatcher, so that a proxy set for that one holds here, but leaves out its web streams, which
 * cost more than the rest of a turn. Redirections are for `providerFetch` to judge.
 *
 * What it answers has of a `Response` what an SDK looks at before it hands the response over.
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
    // Silence is the watchdog's to judge.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const { statusCode: status } = response;
  const answer = { ok: status < 300, status, url: input, headers: headersOf(response) };
  const withBody = { ...answer, body: decompressed(response) };
  return withBody satisfies AnswerResponse as unknown as Response;
};

/** Loaded with the first answer: it is half as large as all of Nest. */
const undici = once(() => import('undici'));

/** Compression is not asked for, but a proxy may compress all the same. */
function decompressed({ body, headers }: Dispatcher.ResponseData): Readable {
  const decoder = decoderOf(String(headers['content-encoding'] ?? ''));
  // The reader of the output gets the error.
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

function headersOf({ headers }: Dispatcher.ResponseData): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value = []]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  );
}
