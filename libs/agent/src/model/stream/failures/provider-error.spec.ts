import { toModelError } from './provider-error';

const GEMINI_MINUTE = {
  status: 429,
  error: {
    code: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    status: 'RESOURCE_EXHAUSTED',
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '21.5s' }],
  },
};

/** Anthropic's refusal, whose text does not name the limit. */
const limitedBy = (error_code: string): object => ({
  status: 429,
  error: {
    type: 'error',
    error: { type: 'rate_limit_error', message: 'Another wording.', details: { error_code } },
  },
});

describe('toModelError reads errors as services word them', () => {
  it.each([
    [
      'a quota of a minute, with a delay in the error',
      GEMINI_MINUTE,
      { code: 'model_rate_limited', isRetryable: true, retryAfterMs: 21_500 },
    ],
    [
      'billing, with Retry-After',
      {
        status: 429,
        headers: new Headers({ 'retry-after': '2' }),
        error: { message: 'Please check your billing.' },
      },
      { code: 'model_rate_limited', isRetryable: true, retryAfterMs: 2_000 },
    ],
    [
      'an overloaded gateway that quotes the 404 of a provider behind it',
      { status: 503, error: { message: 'No provider left, upstream: 404 NOT_FOUND' } },
      { code: 'model_overloaded' },
    ],
    [
      'a quota per minute',
      { status: 429, error: { message: 'Quota exceeded: 10 requests per minute, see billing' } },
      { code: 'model_rate_limited', isRetryable: true },
    ],
    [
      'spent credit, whatever the header says',
      {
        status: 429,
        headers: new Headers({ 'retry-after': '2' }),
        error: { code: 'insufficient_quota', message: 'You exceeded your current quota' },
      },
      { code: 'model_rate_limited', isRetryable: false },
    ],
    [
      "Anthropic's empty account",
      {
        status: 400,
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the API.',
        },
      },
      { code: 'model_rate_limited', isRetryable: false },
    ],
    [
      "Anthropic's limit of spending, with 400",
      {
        status: 400,
        error: {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message:
              'You have reached your specified API usage limits. You will regain access later.',
          },
        },
      },
      { code: 'model_rate_limited', isRetryable: false },
    ],
    [
      "Anthropic's limit of spending, by its code alone",
      limitedBy('enforced_spend_limit_reached'),
      { code: 'model_rate_limited', isRetryable: false },
    ],
    [
      "Anthropic's limit of growth, by its code alone",
      limitedBy('ramp_limit_exceeded'),
      { code: 'model_rate_limited', isRetryable: true },
    ],
    [
      "Zhipu's empty account",
      { status: 429, error: { code: '1113', message: '余额不足或无可用资源包' } },
      { code: 'model_rate_limited', isRetryable: false },
    ],
    [
      'a number that is no code',
      { status: 429, error: { message: 'Rate limit: used 1113 of 1000' } },
      { code: 'model_rate_limited', isRetryable: true },
    ],
    [
      'a request above the limit itself',
      {
        status: 429,
        error: {
          code: 'rate_limit_exceeded',
          message: 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000',
        },
      },
      { code: 'context_too_long', isRetryable: false },
    ],
    [
      'a model that is not there, with 400',
      { status: 400, error: { message: "The requested model 'x' does not exist." } },
      { code: 'model_not_found' },
    ],
    [
      'a word about another model, with 400',
      { status: 400, error: { message: 'Tools are not valid for this model.' } },
      { code: 'model_bad_request' },
    ],
    [
      "LM Studio's, of an address without its path, with 200",
      'Unexpected endpoint or method. (POST /chat/completions)',
      { code: 'model_not_found', message: expect.stringContaining('Check') },
    ],
    [
      'a bad key, with 400',
      { status: 400, error: { message: 'API key not valid. Please pass a valid API key.' } },
      { code: 'model_authentication' },
    ],
  ])('%s', (_, thrown, expected) => {
    expect(toModelError(thrown, 'm')).toMatchObject(expected);
  });

  it.each([
    [
      "Bedrock's throttling within an answer, which is no long context",
      { message: 'Too many tokens, please wait before trying again.' },
      { code: 'model_rate_limited', isRetryable: true },
    ],
    [
      "Bedrock's throttling of a day within an answer",
      { message: 'Too many tokens per day, please wait before trying again.' },
      { code: 'model_rate_limited', isRetryable: true },
    ],
    [
      "OpenAI's delay within an answer, which has no headers",
      {
        code: 'rate_limit_exceeded',
        message: 'Rate limit reached on tokens per min (TPM). Please try again in 1.574s. Visit x',
      },
      { code: 'model_rate_limited', retryAfterMs: 1_574 },
    ],
    [
      'a delay in milliseconds',
      { status: 429, error: { message: 'Please try again in 564ms. Visit x' } },
      { retryAfterMs: 564 },
    ],
    [
      'a delay in milliseconds, as a word',
      { status: 429, error: { message: 'Please try again in 564 milliseconds.' } },
      { retryAfterMs: 564 },
    ],
    [
      'a delay in minutes and seconds, as words',
      { status: 429, error: { message: 'Please try again in 2 mins 30 secs.' } },
      { retryAfterMs: 150_000 },
    ],
    [
      'a number that is no delay',
      { status: 429, error: { message: 'Please wait 5 more seconds' } },
      { retryAfterMs: undefined },
    ],
    [
      'a delay in hours and minutes',
      { status: 429, error: { message: 'Please try again in 1h9m38.016s. Need more tokens?' } },
      { retryAfterMs: 4_178_016 },
    ],
    [
      "GitHub's delay",
      { status: 429, error: { message: 'Please wait 20 seconds before retrying.' } },
      { retryAfterMs: 20_000 },
    ],
    [
      'that the service wants no further attempt',
      { status: 503, headers: new Headers({ 'x-should-retry': 'false' }), error: {} },
      { code: 'model_overloaded', isRetryable: false },
    ],
    [
      'that the service asks for another attempt',
      { status: 400, headers: new Headers({ 'x-should-retry': 'true' }), error: {} },
      { code: 'model_bad_request', isRetryable: true },
    ],
    [
      'spent credit, even if the service asks for another attempt',
      {
        status: 429,
        headers: new Headers({ 'x-should-retry': 'true' }),
        error: { code: 'insufficient_quota' },
      },
      { isRetryable: false },
    ],
    [
      "Cloudflare's list of errors",
      {
        status: 400,
        error: {
          success: false,
          errors: [{ code: 5021, message: 'This model has exceeded its context window limit' }],
        },
      },
      { code: 'context_too_long' },
    ],
    [
      "Cloudflare's used allocation of a day",
      {
        status: 429,
        error: {
          errors: [{ message: 'you have used up your daily free allocation of 10,000 neurons' }],
        },
      },
      { code: 'model_rate_limited', isRetryable: false },
    ],
  ])('%s', (_, thrown, expected) => {
    expect(toModelError(thrown, 'm')).toMatchObject(expected);
  });

  it.each([409, 424, 425, 499])('%i as a failure of the service, which may pass', (status) => {
    const error = toModelError({ status, error: { message: 'x' } }, 'm');
    expect(error).toMatchObject({ code: 'model_unavailable', isRetryable: true });
  });

  it.each([
    'Input validation error: `inputs` must have less than 4096 tokens. Given: 4545',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1244 `inputs` tokens and 1000 `max_new_tokens`',
  ])('a context that is too long, in the words of TGI: %s', (words) => {
    for (const error of [words, { message: words, type: 'validation', http_status_code: 422 }]) {
      expect(toModelError({ status: 422, error }, 'm').code).toBe('context_too_long');
    }
  });

  it.each([
    { message: 'Model Not Exist', type: 'invalid_request_error', code: 'invalid_request_error' },
    { message: "Invalid model 'x'. Permitted models can be found in …", type: 'invalid_model' },
    { message: 'x/y is not a valid model ID', code: 400 },
    { message: "invalid params, unknown model 'x' (2013)", type: 'bad_request_error' },
    { message: 'The model `x` has been decommissioned.', code: 'model_decommissioned' },
    { message: '模型不存在,请检查模型代码。', code: '1211' },
    { message: 'The provided model identifier is invalid.' },
    { message: "Invocation of model ID x with on-demand throughput isn't supported." },
    { message: "The requested model 'x' is not supported by any provider you have enabled." },
  ])('a model that is not there, with 400, in the words $message', (error) => {
    expect(toModelError({ status: 400, error }, 'm').code).toBe('model_not_found');
  });

  it.each(['invalid_prompt', 'invalid_image_url', 'image_too_large', 'failed_to_download_image'])(
    'a request that a stream refuses with %s',
    (code) => {
      const error = toModelError({ code, message: 'Another wording.' }, 'm');
      expect(error).toMatchObject({ code: 'model_bad_request', isRetryable: false });
    },
  );

  it.each([
    [400, 'registry.ollama.ai/library/phi4:latest does not support tools'],
    [404, 'No endpoints found that support tool use. To learn more, visit: https://openrouter.ai'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [400, '`tool calling` is not supported with this model'],
    [400, 'Function calling is not enabled for models/gemma-3-27b-it'],
    [400, "This model doesn't support tool use."],
    [400, "Unsupported parameter: 'tools' is not supported with this model."],
    [500, 'tools param requires --jinja flag'],
  ])('of a model without tool calls, with %i: tells the remedy: %s', (status, message) => {
    expect(toModelError({ status, error: { message } }, 'm')).toMatchObject({
      code: 'model_bad_request',
      isRetryable: false,
      message: expect.stringContaining('react()'),
    });
  });

  it.each([
    'Parallel tool calls are not supported.',
    "'claude-haiku' does not support tool types: web_search_20250305.",
    'The tool is not supported in this region.',
  ])('tells no remedy of another refusal: %s', (message) => {
    const { message: told } = toModelError({ status: 400, error: { message } }, 'm');
    expect(told).not.toContain('react()');
  });
});
