import { Logger } from '@nestjs/common';
import { logKept } from '../model/stream';
import { keepForLog } from './ai-sdk-log';

/** The error of a provider's package. */
class AI_APICallError extends Error {
  override readonly name = 'AI_APICallError';
  readonly statusCode = 400;
  readonly url = 'https://models.example/v1';
}

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\n-----END PRIVATE KEY-----\n';
const ACCOUNT = {
  type: 'service_account',
  project_id: 'shop-project',
  private_key: PEM,
  token_uri: 'https://oauth2.googleapis.com/token',
};

describe('the log of a refusal that a package of the AI SDK met', () => {
  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
    jest.restoreAllMocks();
  });

  const logged = (said: string, headers?: Record<string, string>): string => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const error = new AI_APICallError(said);
    keepForLog(error, headers);
    logKept(error);
    return String(warn.mock.calls[0]?.[0]).replace('models.example answered HTTP 400: ', '');
  };

  it.each<readonly [string, string, string]>([
    ['SOME_API_KEY', 'shop-secret-value', 'no shop-secret-value.'],
    ['some_token', 'shop-secret-value', 'no "secret-v" here'],
    ['DB_PASSWORD', 'my dog is red', 'no my dog is red'],
    ['KEY_PASSPHRASE', 'my dog is red', 'no my dog is red'],
    ['SERVICE_ACCOUNT_KEY', JSON.stringify(ACCOUNT), 'no MIIEvQIBA'],
    ['GOOGLE_CREDENTIALS', JSON.stringify({ web: { client_secret: 'abcdef-ghijkl' } }), 'abcdef-g'],
    ['SERVICE_TOKENS', '["shop-secret-value","other-value"]', 'not other-value'],
    ['SERVICE_KEY', '{"broken', 'not {"broken'],
  ])('leaves out a secret of %s', (name, value, said) => {
    process.env[name] = value;
    const line = logged(said);
    expect(line).toContain('[redacted]');
    expect(line).not.toMatch(/shop|secret|dog|MII|abcdef|other|broken/);
  });

  it.each<readonly [string, string, string]>([
    ['SSL_KEY', '/home/app/keys/server.key', 'No model in /home/app/models'],
    ['SERVICE_KEY', JSON.stringify(ACCOUNT), 'aiplatform.googleapis.com has no shop-project'],
    ['PUBLIC_URL', 'https://shop.example/models', 'No /models at https://shop.example'],
    ['AUTH_TOKEN', 'Bearer shop-secret-value', 'Bearer realm="models"'],
    ['USE_TOKENS', 'true', 'It is true'],
  ])('says what is like a part of %s that is no secret', (name, value, said) => {
    process.env[name] = value;
    expect(logged(said)).toBe(said);
  });

  it('leaves out what secret headers have, and nothing of the others', () => {
    const headers = { 'X-Gateway': 'shop-secret-value', 'Content-Type': 'application/json' };
    expect(logged('no application/json of shop-secret-value', headers)).toBe(
      'no application/json of [redacted]',
    );
  });

  it.each([
    'sk-proj-AbCdEf123456GhIjKl',
    '"sk-pr***wxyz"',
    'sk-...t0aL',
    'sk-\u2026t0aL',
    'key=AIzaSyA1234567890abcdef',
  ])('leaves out %s, which looks like a key', (key) => {
    expect(logged(`not ${key}`)).toBe('not [redacted]');
  });
});
