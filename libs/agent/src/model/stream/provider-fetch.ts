import { jsonIn, LONGEST_TIMER_MS } from '../../internal';
import {
  keepOrigin,
  keepRefusal,
  keepUnreachable,
  loggableWords,
  secretsIn,
  withUpstreamWords,
} from './failures';
import { modelFetch, type AnswerResponse } from './model-fetch';
import { readableOf } from './server-sent-events';

/** Maximum size of an error to read; its beginning is enough. */
const MAX_ERROR_BYTES = 65_536;
/** Maximum time for reading an error; without it the status must do. */
const MAX_ERROR_MS = 1_000;
const MAX_REDIRECTIONS = 5;

/**
 * For a provider's SDK. The library does retries and time-outs itself: they must end with the run, and
 * depend on the first event.
 */
export const NO_RETRIES = { maxRetries: 0, timeout: LONGEST_TIMER_MS } as const;

/**
 * A `fetch` for a provider's SDK, around the one that sends.
 *
 * - A redirection is followed only to the same origin, or from there to HTTPS: no other party may
 *   get the conversation or its credentials.
 * - An error is read up to a limit, and put where the SDKs expect it, whatever its form. Its
 *   message, or the reason why the provider could not be reached, is kept for the log only.
 * - The request of an answer is kept for the log of an error within it.
 */
export function providerFetch(send: typeof fetch = modelFetch): typeof fetch {
  return async (input, init) => {
    const response = await sendOn(send, input, { ...init, redirect: 'manual' });
    if (!response.ok) return refusal(response, new Headers(init?.headers));
    keepOrigin(response, input, init?.headers);
    return response;
  };
}

async function sendOn(
  send: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit,
): Promise<Response> {
  const attempt = (to: Parameters<typeof fetch>[0]): Promise<Response> =>
    send(to, init).catch((error: unknown) => {
      if (!init.signal?.aborted) keepUnreachable(error, to);
      throw error;
    });
  let response = await attempt(input);
  let from = typeof input === 'string' ? input : response.url;
  for (let count = 0; count < MAX_REDIRECTIONS; count += 1) {
    const to = redirectionOf(response, from);
    if (to === undefined) break;
    await beginningOf(response);
    response = await attempt(to);
    from = to;
  }
  return response;
}

/**
 * The next address, if the redirection may be followed. Only two statuses keep the method and the
 * body.
 */
function redirectionOf({ status, headers }: Response, from: string): string | undefined {
  // Not `null` where the headers are a map.
  const location = headers.get('location') ?? undefined;
  if ((status !== 307 && status !== 308) || location === undefined) return undefined;
  if (!URL.canParse(location, from)) return undefined;
  const [source, target] = [new URL(from), new URL(location, from)];
  const isSecured =
    source.hostname === target.hostname &&
    source.protocol === 'http:' &&
    target.protocol === 'https:' &&
    target.port === '';
  return source.origin === target.origin || isSecured ? target.href : undefined;
}

async function refusal(response: Response, sent: Headers): Promise<Response> {
  const { status, headers, url } = response;
  const error = errorIn(await beginningOf(response));
  const body = status < 400 ? null : JSON.stringify({ error });
  const refused = new Response(body, { status, headers: new Headers(headers) });
  keepRefusal(refused.headers, url, status, loggableWords(error, secretsIn(sent)));
  return refused;
}

/** OpenAI's SDK reads only `error`; others put the message at the top, in a list or in a page. */
function errorIn(text: string): unknown {
  const value = jsonIn(text);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'object' || first === null) return { message: text };
  return withUpstreamWords('error' in first ? first.error : first);
}

/** The beginning of a body; read errors are ignored. */
async function beginningOf({ body }: AnswerResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    const readable = readableOf(body);
    timer = setTimeout(() => readable.destroy(), MAX_ERROR_MS).unref();
    for await (const chunk of readable as AsyncIterable<Uint8Array>) {
      chunks.push(Buffer.from(chunk));
      length += chunk.length;
      if (length >= MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status is enough.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString();
}
