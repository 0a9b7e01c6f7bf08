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
      'a bad key, with 400',
      { status: 400, error: { message: 'API key not valid. Please pass a valid API key.' } },
      { code: 'model_authentication' },
    ],
  ])('%s', (_, thrown, expected) => {
    expect(toModelError(thrown, 'm')).toMatchObject(expected);
  });
});
