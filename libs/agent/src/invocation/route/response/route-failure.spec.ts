import { growthOf } from '../../../internal/fixtures/growth';
import type { JsonValue } from '../../../message';
import { routeFailure } from './route-failure';

const said = (body: JsonValue | undefined, status = 400, headers = {}) =>
  routeFailure(status, body, headers).message;

describe('the failure of a route', () => {
  it.each<[string, unknown, readonly string[] | undefined]>([
    ['several', 'orders:read orders:write', ['orders:read', 'orders:write']],
    ['one', 'orders', ['orders']],
    ['none', '', undefined],
    ['those of another type', ['orders'], undefined],
    ['those with a line break', 'orders\r\nx: y', undefined],
    ['more than a header takes', 'x'.repeat(1_001), undefined],
  ])('has the scopes that a 403 names: %s', (_, scope, scopes) => {
    const body = { error: 'insufficient_scope', scope } as JsonValue;
    expect(routeFailure(403, body, {}).scopes).toEqual(scopes);
    expect(routeFailure(400, body, {}).scopes).toBeUndefined();
  });

  it.each<[string, JsonValue | undefined, string]>([
    [
      'Nest’s envelope',
      { statusCode: 400, message: 'No such id', error: 'Bad Request' },
      'No such id',
    ],
    ['a list of messages', { message: ['a must be b', 'c must be d'] }, 'a must be b; c must be d'],
    [
      'problem details',
      { type: 'about:blank', title: 'T', detail: 'It is locked' },
      'It is locked',
    ],
    ['a title alone', { title: 'Locked' }, 'Locked'],
    ['an error object', { error: { message: 'Too big', code: 7 } }, 'Too big'],
    ['plain text', '  It is closed  ', 'It is closed'],
    ['what follows an unreadable message', { message: '<p>', detail: 'In words' }, 'In words'],
    ['an error message of another name', { errorMessage: 'Taken' }, '{"errorMessage":"Taken"}'],
    [
      'what stands beside the name of the status',
      { statusCode: 400, error: 'bad request', hint: 'Dates are in UTC' },
      '{"hint":"Dates are in UTC"}',
    ],
    ['other types', { message: 7, title: {}, error: true }, '{"message":7,"error":true}'],
    ['a list of texts', ['a', 'b'], 'a; b'],
    ['a list of anything', [{ field: 'a', stack: 'x' }], '[{"field":"a"}]'],
    ['a number', 7, '7'],
    ['a piece of a page', '<h1>Closed</h1>\n<script>x()</script><p>until 8</p>', 'Closed until 8'],
  ])('repeats %s', (_, body, expected) => {
    expect(said(body)).toBe(`400 Bad Request: ${expected}`);
  });

  it.each<[string, JsonValue | undefined]>([
    ['nothing', undefined],
    ['an empty body', ''],
    ['only the name of the status', { message: 'bad request' }],
    ['Nest’s envelope with the name of the status', { message: 'Bad Request', statusCode: 400 }],
    ['problem details of the status', { title: 'Bad Request', status: 400 }],
    ['a list of the name of the status', ['Bad Request']],
    ['a page', '<!doctype html><h1>x</h1>'],
    ['a page after a remark', 'Oops <html><body>x</body></html>'],
    ['a piece of a page with a stack', '<pre>Error: x<br> &nbsp; at f (/srv/a.js:1:2)</pre>'],
    ['an unfinished piece of code', '<script>secret('],
    ['a stack', 'Error: x\n    at f (/srv/a.js:1:2)'],
    ['a stack in the envelope', { message: 'x\n  at Object.<anonymous> (a.js:1:1)' }],
    ['an empty list', { message: [], errors: {} }],
    ['what only repeats it', { statusCode: 400, message: '<html></html>' }],
    ['a stack in a field of its own', { stack: ['at f (/srv/a.js:1:2)'], trace: 'x' }],
  ])('says no more than the status of %s', (_, body) => {
    expect(said(body)).toBe('400 Bad Request');
  });

  it.each<[string, JsonValue, string]>([
    [
      'what a schema found',
      { message: 'Validation failed', errors: [{ path: ['age'], message: 'Expected number' }] },
      'Validation failed [{"path":["age"],"message":"Expected number"}]',
    ],
    [
      'class-validator’s own errors',
      { message: [{ property: 'age', constraints: { isInt: 'age must be an integer' } }] },
      '[{"property":"age","constraints":{"isInt":"age must be an integer"}}]',
    ],
    [
      'messages by field, once',
      { message: { age: ['is too low'] }, error: 'Invalid' },
      'Invalid {"age":["is too low"]}',
    ],
    [
      'a list beside the message',
      { message: 'Invalid', errors: ['age is too low'] },
      'Invalid ["age is too low"]',
    ],
    [
      'a list in place of the name of the status',
      { message: 'Invalid', error: ['age is too low'] },
      'Invalid ["age is too low"]',
    ],
    ['a list alone', { error: ['age is too low'] }, 'age is too low'],
    [
      'the details of a filter that writes its own body',
      {
        timestamp: '2026-11-01T00:00:00Z',
        statusCode: 400,
        error: 'Bad Request',
        message: 'Validation failed',
        details: [{ property: 'age', code: 'isInt', message: 'age must be an integer' }],
      },
      'Validation failed [{"property":"age","code":"isInt","message":"age must be an integer"}]',
    ],
    [
      'details in one text',
      { message: 'Invalid', details: 'age is too low' },
      'Invalid "age is too low"',
    ],
    ['no details that repeat the message', { message: 'Invalid', details: 'Invalid' }, 'Invalid'],
    [
      'zod’s issues',
      { message: 'Invalid', issues: [{ path: ['age'], message: 'Too small' }] },
      'Invalid [{"path":["age"],"message":"Too small"}]',
    ],
    [
      'the parameters of problem details',
      { title: 'Invalid', 'invalid-params': [{ name: 'age', reason: 'is too low' }] },
      'Invalid [{"name":"age","reason":"is too low"}]',
    ],
    ['nothing twice', { message: { message: 'age is too low', code: 7 } }, 'age is too low'],
    [
      'no stack among them',
      { errors: [{ message: 'x', stack: 'E\n    at f (/srv/a.js:1:2)' }] },
      '[{"message":"x"}]',
    ],
    [
      'no stack of another spelling',
      { message: 'x', details: { stack_trace: ['at f (/srv/a.js:1:2)'], field: 'age' } },
      'x {"field":"age"}',
    ],
  ])('repeats what is wrong with a request: %s', (_, body, expected) => {
    expect(said(body)).toBe(`400 Bad Request: ${expected}`);
  });

  it('does not add details of the database to a message about the server', () => {
    const details = { query: 'SELECT * FROM users', parameters: ['ann'] };
    expect(said({ message: 'It failed.', details }, 500)).toBe(
      '500 Internal Server Error: It failed.',
    );
    expect(said({ error: 'Internal server error', details }, 500)).toBe(
      '500 Internal Server Error',
    );
    expect(said({ code: 'DOWN', details, issues: [details] }, 500)).toBe(
      '500 Internal Server Error: {"code":"DOWN"}',
    );
  });

  it('survives what is nested without end', () => {
    const nested = (key: string) =>
      JSON.parse(`${`{"${key}":`.repeat(20_000)}"deep"${'}'.repeat(20_000)}`) as JsonValue;
    expect(said(nested('message'))).toMatch(/^400 Bad Request/);
    expect(said(nested('errors')).length).toBeLessThan(2_100);
  });

  it('reads texts that hold nothing but line breaks in a time that grows with their length', () => {
    const errors = (breaks: number) => Array.from({ length: 50 }, () => `x${'\n'.repeat(breaks)}x`);
    expect(said({ errors: errors(7_900) })).toMatch(/^400 Bad Request/);
    expect(growthOf((breaks) => said({ errors: errors(breaks) }), 1_900)).toBeLessThan(9);
  });

  it('says whose matter 401 and 403 are', () => {
    expect(said(undefined, 401)).toMatch(/^Authentication is needed.* 401 Unauthorized$/);
    expect(said(undefined, 403)).toMatch(/^Permission denied.* 403 Forbidden$/);
    expect([401, 403, 404].map((status) => routeFailure(status, '', {}).code)).toEqual([
      'unauthorized',
      'forbidden',
      'http_error',
    ]);
  });

  it('says when to try again, where that is a number of seconds', () => {
    const at = (value: unknown) => said('Slow down', 429, { 'retry-after': value });
    expect(at('30')).toBe('429 Too Many Requests: Slow down (try again after 30 s)');
    expect(at('Wed, 21 Oct 2026 07:28:00 GMT')).toBe('429 Too Many Requests: Slow down');
    expect(at('30; DROP')).toBe('429 Too Many Requests: Slow down');
  });

  it('cuts what is long, and knows no name for odd statuses', () => {
    const message = said({ message: 'x'.repeat(5_000) }, 499);
    expect(message).toBe(`499 Error: ${'x'.repeat(2_000)}…`);
  });

  it('reads own properties only', () => {
    expect(said(JSON.parse('{"__proto__":{"message":"inherited"}}') as JsonValue)).toBe(
      '400 Bad Request: {"__proto__":{"message":"inherited"}}',
    );
  });
});
