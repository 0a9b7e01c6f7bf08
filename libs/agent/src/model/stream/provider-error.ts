import { isJsonObject } from '../../message';
import { ModelError, type ModelErrorCode } from '../model-error';

/** What a provider says of a failure, whatever its SDK calls the parts. */
interface ProviderFailure {
  readonly status: number | undefined;
  /** Codes, types and message, in lower case, only to be searched. */
  readonly words: string;
  readonly retryAfterMs: number | undefined;
}

/** What providers call a history that does not fit, as far as they document it or answer it. */
const TOO_LONG = new RegExp(
  [
    'context[_ ]?(length|window|size|limit)',
    'maximum (context|prompt length)',
    'prompt (is )?too long|prompt exceeds|input is too long|request_too_large',
    'too many (input )?tokens|reduce the length|range of input length',
    'exceed(s|ed)? (the )?(available |max(imum)? )?(model )?(context|token|number of tokens)',
    'token count .{0,40}exceed|longer than the (maximum )?model|inputs` tokens \\+',
    '超长',
  ].join('|'),
);
const QUOTA =
  /insufficient_quota|insufficient[_ ]balance|exceeded your current quota|billing|credit/;
const NOT_FOUND = /model_not_found|not_found_error|model .{0,100}not found/;
const RATE = /rate[_ ]?limit|too many requests/;
const OVERLOADED = /overloaded|capacity|server_busy|unavailable/;

/**
 * Turns what an SDK threw, or an error object inside a stream, into a `ModelError`. Nothing of the
 * provider's text gets into the message: it may quote the key.
 */
export function toModelError(error: unknown, modelName: string): ModelError {
  if (error instanceof ModelError) return error;
  const failure = readFailure(error);
  const code = codeOf(failure);
  const isUnpaid = failure.status === 402 || QUOTA.test(failure.words);
  const isQuota = code === 'model_rate_limited' && isUnpaid;
  return new ModelError(code, sentence(code, modelName, failure, isQuota), {
    cause: error,
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(isQuota ? { isRetryable: false } : {}),
  });
}

function codeOf({ status, words }: ProviderFailure): ModelErrorCode {
  const isRefusal = status === undefined || (status >= 400 && status <= 500);
  if (status === 413) return 'context_too_long';
  if (isRefusal && status !== 429 && TOO_LONG.test(words)) return 'context_too_long';
  if (status !== undefined && status < 400) return 'model_not_found';
  switch (status) {
    case 400:
    case 405:
    case 409:
    case 415:
    case 422:
      return 'model_bad_request';
    case 401:
    case 403:
      return 'model_authentication';
    case 404:
    case 410:
      return 'model_not_found';
    case 408:
    case 504:
      return 'model_timeout';
    case 402:
    case 429:
      return 'model_rate_limited';
    // Groq's, where a model has no room left.
    case 498:
    case 503:
    case 529:
      return 'model_overloaded';
    default:
      break;
  }
  if (status !== undefined) return status < 500 ? 'model_bad_request' : 'model_unavailable';
  if (/timeout|timed out/.test(words)) return 'model_timeout';
  if (RATE.test(words) || QUOTA.test(words)) return 'model_rate_limited';
  if (/invalid_api_key|authentication|permission/.test(words)) return 'model_authentication';
  if (NOT_FOUND.test(words)) return 'model_not_found';
  if (/invalid_request/.test(words)) return 'model_bad_request';
  return OVERLOADED.test(words) ? 'model_overloaded' : 'model_unavailable';
}

function sentence(
  code: ModelErrorCode,
  modelName: string,
  { status, retryAfterMs }: ProviderFailure,
  isQuota: boolean,
): string {
  const by = status === undefined ? '' : ` (HTTP ${status})`;
  switch (code) {
    case 'model_unavailable':
      return `The model ${modelName} could not be reached or failed${by}. Try again later.`;
    case 'model_overloaded':
      return `The model ${modelName} is overloaded${by}. Try again later.`;
    case 'model_timeout':
      return `The model ${modelName} took too long to answer${by}.`;
    case 'model_rate_limited':
      if (isQuota) return `The quota of the model ${modelName} is used up${by}.`;
      return `The model ${modelName} is limiting requests${by}. Try again ${
        retryAfterMs === undefined ? 'later' : `in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`
      }.`;
    case 'model_authentication':
      return `The provider of the model ${modelName} refused the server's credentials${by}. Check the API key and what it may use.`;
    case 'model_not_found':
      return `The provider does not know the model ${modelName}, or its address is wrong${by}. Check the model's name and the base URL.`;
    case 'model_bad_request':
      return `The provider of the model ${modelName} refused the request${by}.`;
    case 'context_too_long':
      return `The conversation is too long for the model ${modelName}${by}.`;
  }
}

function readFailure(error: unknown): ProviderFailure {
  const root: object = typeof error === 'object' && error !== null ? error : { message: error };
  const field = (name: string): unknown => (root as Readonly<Record<string, unknown>>)[name];
  const inner = isJsonObject(field('error')) ? field('error') : undefined;
  const own = error instanceof Error ? [error.message, error.name] : [];
  const words = [...own, ...wordsIn(inner ?? root)].join(' ').toLowerCase();
  const status = [field('status'), field('code'), field('status_code')]
    .map(httpStatusOf)
    .find((found) => found !== undefined);
  return { status, words, retryAfterMs: retryAfterMs(field('headers')) };
}

/** Some write the status as text. */
function httpStatusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && status >= 300 && status < 600 ? status : undefined;
}

/** All short texts of an error object: providers put the code in `type`, `code` or `message`. */
function wordsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value.slice(0, 2_000)];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((item) => wordsIn(item, depth + 1));
  return ['type', 'code', 'message', 'msg', 'error', 'detail', 'param'].flatMap((key) =>
    wordsIn((value as Readonly<Record<string, unknown>>)[key], depth + 1),
  );
}

/** Nobody waits for longer, and what is said to take years is no number to pass on. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;

/**
 * `Retry-After` in either form, or the finer `retry-after-ms`; at most a day.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterMs(headers: unknown, now = Date.now()): number | undefined {
  if (!(headers instanceof Headers)) return undefined;
  const waits = [
    numberIn(headers.get('retry-after-ms')),
    numberIn(headers.get('retry-after'), 1_000),
    timeIn(headers.get('retry-after'), now),
  ];
  const wait = waits.find((each) => each !== undefined);
  return wait === undefined ? undefined : Math.min(wait, LONGEST_RETRY_AFTER_MS);
}

function numberIn(text: string | null, unitMs = 1): number | undefined {
  const isNumber = /^\d+(\.\d+)?$/.test(text?.trim() ?? '');
  return isNumber ? Number(text) * unitMs : undefined;
}

/** A date begins with its day; `Date.parse` takes much else for one. */
function timeIn(text: string | null, now: number): number | undefined {
  const time = /^[A-Z][a-z]+,? /.test(text?.trim() ?? '') ? Date.parse(text ?? '') : NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
