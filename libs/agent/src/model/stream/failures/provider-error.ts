import { isJsonObject } from '../../../message';
import { ModelError, type ModelErrorCode } from '../../model-error';
import { longest, retryAfterMs, retryDelayMsIn, waitIn } from './retry-wait';

/** The facts about a provider's failure, in one form for all SDKs. */
interface ProviderFailure {
  readonly status: number | undefined;
  /** Codes, types and messages in lower case, one a line, only to be searched; the code again after a `#`. */
  readonly words: string;
  readonly retryAfterMs: number | undefined;
  /** Whether the service asks for another attempt; `undefined` if it does not say. */
  readonly isRetryable: boolean | undefined;
}

/** Providers' messages about a history that is too long, documented or observed. */
const TOO_LONG = new RegExp(
  [
    'context[_ ]?(length|window|size|limit)',
    'maximum (context|prompt length)',
    'prompt (is )?too long|prompt exceeds|input is too long|request_too_large',
    'too many (input )?tokens(?!.{0,20}, please wait)|too_many_(prompt|input)_tokens|tokens_limit_reached',
    'reduce the length|range of input length|string_above_max_length',
    'length of (all )?(the )?(messages|prompt|input) is too long',
    'exceed(s|ed)? (the )?(available |max(imum)? )?(model )?(context|token|number of tokens)',
    'token count .{0,40}exceed|longer than the (maximum )?model',
    // TGI's, of a prompt alone and with its answer.
    'inputs` (must have less than \\d+ tokens|tokens \\+)',
    '超长',
  ].join('|'),
);
/** A single request above a per-minute limit: it never passes unchanged. */
const TOO_LARGE = /request( body)? too large|must be reduced in order to run/;
/** Only payment helps. */
const SPENT = new RegExp(
  [
    'insufficient[_ ](balance|credit|funds)|balance is too low|not enough credit',
    'out of credits|used all available credits|exceeded_current_quota|arrearage',
    // Cloudflare's.
    'used up your daily',
    // Anthropic's: the limit of an organization, or of the one that it asks for.
    'spend_limit_reached|billing_unavailable|reached your specified api usage limits',
    // Zhipu's code for it.
    '#1113( |$)|余额不足',
  ].join('|'),
);
/** Also an exhausted quota, but some services say it of a per-minute limit too. */
const QUOTA = /insufficient_quota|exceeded your current quota|billing|credit/;
const PER_MINUTE = /per[ _-]?(second|minute|min\b|hour)|\b(rpm|tpm)\b/;
/** Z.ai's whole message, with status 200 and the code 500. */
const UNKNOWN_ADDRESS = /^404 not_found$/m;
const NOT_FOUND = new RegExp(
  [
    'model_not_found|not_found_error|model .{0,100}(not found|does not exist)',
    // Many services say it with 400, each in words of its own.
    'model not exist|(invalid|unknown)_model\\b|unknown model\\b|invalid model name',
    'not a valid model id|model_decommissioned|#1211( |$)',
    'model identifier is invalid|with on-demand throughput|not supported by any provider',
    // LM Studio's, of an address without `/v1`, with status 200.
    'unexpected endpoint or method',
  ].join('|'),
);
/** Of Ollama, OpenRouter, vLLM, Groq, Google, Bedrock and llama.cpp, of models that take no tools. */
const NO_TOOLS = new RegExp(
  [
    "(not|n't) support (tools\\b|tool[ -](use|calling)|function calling)",
    "(?<!parallel )(\\btools|tool calling|function calling)['`]? (is|are) not (supported|enabled)",
    'no endpoints found that support tool use|--enable-auto-tool-choice|requires --jinja',
  ].join('|'),
);
/** Codes with which OpenAI refuses a request after its answer has begun. */
const REFUSED_LATE = /#(invalid_|unsupported_|image_|empty_image|failed_to_download_image)/;
const BAD_KEY =
  /invalid[_ ]api[_ ]key|incorrect api key|api[_ ]key[_ ](not valid|invalid)|login fail/;
const RATE = /rate[_ ]?limit|too many requests|please wait before/;
const OVERLOADED = /overloaded|capacity|server_busy|unavailable/;

/**
 * Converts an SDK's error, or an error object inside a stream, to a `ModelError`. The message
 * contains none of the provider's text, which may quote the key.
 */
export function toModelError(error: unknown, modelName: string): ModelError {
  if (error instanceof ModelError) return error;
  const failure = readFailure(error);
  const code = codeOf(failure);
  const isQuota = code === 'model_rate_limited' && isUnpaid(failure);
  return new ModelError(code, sentence(code, modelName, failure, isQuota), {
    cause: error,
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...((isQuota || failure.isRetryable !== undefined) && {
      isRetryable: !isQuota && failure.isRetryable === true,
    }),
  });
}

/** An error of OpenRouter with the words of the provider behind it, which it keeps apart. */
export function withUpstreamWords(error: unknown): unknown {
  if (!isJsonObject(error) || !isJsonObject(error.metadata)) return error;
  const { raw } = error.metadata;
  const words = typeof raw === 'string' ? raw : JSON.stringify(raw);
  const messages = [error.message, words].filter((each) => typeof each === 'string');
  return { ...error, message: messages.join(': ') };
}

/** Whether only payment helps. A service that gives a time to wait does not mean an unpaid bill. */
function isUnpaid({ status, words, retryAfterMs }: ProviderFailure): boolean {
  if (status === 402 || SPENT.test(words)) return true;
  if (PER_MINUTE.test(words)) return false;
  return QUOTA.test(words) && (words.includes('insufficient_quota') || retryAfterMs === undefined);
}

/** Below 500 all others refuse the request; from 500 on the provider has failed. */
const BY_STATUS: Readonly<Record<number, ModelErrorCode>> = {
  401: 'model_authentication',
  402: 'model_rate_limited',
  403: 'model_authentication',
  404: 'model_not_found',
  408: 'model_timeout',
  409: 'model_unavailable',
  410: 'model_not_found',
  424: 'model_unavailable',
  425: 'model_unavailable',
  429: 'model_rate_limited',
  // Groq's, if a model's capacity is exceeded.
  498: 'model_overloaded',
  // A proxy's or the service's own, if it gave up.
  499: 'model_unavailable',
  503: 'model_overloaded',
  504: 'model_timeout',
  529: 'model_overloaded',
};

function codeOf({ status, words }: ProviderFailure): ModelErrorCode {
  const isOurs = status === undefined || (status >= 400 && status <= 500);
  if (status === 413) return 'context_too_long';
  if (isOurs && TOO_LARGE.test(words)) return 'context_too_long';
  if (isOurs && status !== 429 && TOO_LONG.test(words)) return 'context_too_long';
  if (isOurs && SPENT.test(words)) return 'model_rate_limited';
  if (isOurs && NO_TOOLS.test(words)) return 'model_bad_request';
  if (UNKNOWN_ADDRESS.test(words)) return 'model_not_found';
  if (status !== undefined && status < 400) return 'model_not_found';
  if (status === 400 && BAD_KEY.test(words)) return 'model_authentication';
  if (status === 400 && NOT_FOUND.test(words)) return 'model_not_found';
  if (status !== undefined) {
    return BY_STATUS[status] ?? (status < 500 ? 'model_bad_request' : 'model_unavailable');
  }
  if (/timeout|timed out/.test(words)) return 'model_timeout';
  if (RATE.test(words) || QUOTA.test(words)) return 'model_rate_limited';
  if (BAD_KEY.test(words) || /authentication|permission/.test(words)) return 'model_authentication';
  if (NOT_FOUND.test(words)) return 'model_not_found';
  if (/invalid_request/.test(words) || REFUSED_LATE.test(words)) return 'model_bad_request';
  return OVERLOADED.test(words) ? 'model_overloaded' : 'model_unavailable';
}

function sentence(
  code: ModelErrorCode,
  modelName: string,
  { status, words, retryAfterMs }: ProviderFailure,
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
      if (NO_TOOLS.test(words)) {
        return `The provider takes no tools for the model ${modelName}${by}. Enable them at its server, or wrap the model in react().`;
      }
      return `The provider of the model ${modelName} refused the request${by}.`;
    case 'context_too_long':
      return `The conversation is too long for the model ${modelName}${by}.`;
  }
}

/** The codes, types and messages of an error, in lower case, one a line. */
export function wordsOf(error: unknown): string {
  return readFailure(error).words;
}

type Fields = Readonly<Record<string, unknown>>;

function readFailure(error: unknown): ProviderFailure {
  const root: object = typeof error === 'object' && error !== null ? error : { message: error };
  const field = (name: string): unknown => (root as Fields)[name];
  const given = field('error');
  const inner = isJsonObject(given) ? given : (root as Fields);
  const own = error instanceof Error ? [error.message, error.name] : [];
  const words = [...own, ...wordsIn(inner), `#${String(inner.code)}`].join('\n').toLowerCase();
  const status = [field('status'), field('code'), field('status_code')]
    .map(httpStatusOf)
    .find((found) => found !== undefined);
  const headers = field('headers');
  const waits = [retryAfterMs(headers), retryDelayMsIn(inner.details), waitIn(words)];
  const wish = headers instanceof Headers ? headers.get('x-should-retry') : null;
  const isRetryable = wish === 'true' || (wish === 'false' ? false : undefined);
  return { status, words, retryAfterMs: longest(waits), isRetryable };
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
  const fields = value as Fields;
  const keys = [
    'type',
    'code',
    'message',
    'msg',
    'error',
    'errors',
    'detail',
    'param',
    'error_code',
  ];
  return [
    ...keys.flatMap((key) => wordsIn(fields[key], depth + 1)),
    // Google's and Azure's details are lists and texts, which repeat the message.
    ...(isJsonObject(fields['details']) ? wordsIn(fields['details'], depth + 1) : []),
  ];
}
