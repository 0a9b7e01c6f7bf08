import type { BullmqRunsOptions } from './bullmq-options';
import { bullmqRuns } from './bullmq.runs';
import { jobIdOf } from './job-id';
import { loadOptional } from './optional-packages';

const connection = { host: '127.0.0.1' };
const secret = 's'.repeat(32);
const credentials = {
  delegate: () => 'claim',
  redeem: () => ({ headers: {}, expiresAt: new Date() }),
  secrets: [secret] as const,
};

describe('bullmqRuns()', () => {
  it('has defaults for all but the connection', () => {
    const runs = bullmqRuns({ connection });
    expect(runs).toMatchObject({ role: 'both', maxAttempts: 3, concurrency: 50 });
    expect(runs.credentials).toBeUndefined();
    expect(bullmqRuns({ connection, credentials, role: 'web' })).toMatchObject({
      role: 'web',
      credentials,
    });
  });

  const wrong: readonly [string, object, string][] = [
    ['no connection', {}, 'options.connection must be an object'],
    ['a client', { connection: { duplicate: () => undefined } }, 'options such as { host, port }'],
    [
      'an unset variable',
      { connection: { host: undefined } },
      'options.connection.host must be a non-empty text',
    ],
    ['an unknown backend', { connection, backend: 'kafka' }, '"redis" or "postgres"'],
    ['an unknown role', { connection, role: 'Worker' }, '"web", "worker" or "both", not "Worker"'],
    ['no concurrency', { connection, concurrency: 0 }, 'options.concurrency must be a whole'],
    [
      'boundless concurrency',
      { connection, concurrency: Infinity },
      'options.concurrency must be a whole',
    ],
    ['a broken number', { connection, maxAttempts: 1.5 }, 'options.maxAttempts must be a whole'],
    ['a prefix with a colon', { connection, prefix: 'a:b' }, 'options.prefix must be a text'],
    ['a misspelling', { connection, concurency: 5 }, 'did you mean concurrency?'],
    ['a word for credentials', { connection, credentials: 'all' }, 'options.credentials must be'],
    [
      'half of the credentials',
      { connection, credentials: { delegate: credentials.delegate } },
      'options.credentials.redeem is missing',
    ],
    [
      'a short secret',
      { connection, credentials: { ...credentials, secrets: ['short'] } },
      'must be a text of at least 32 characters',
    ],
    [
      'no secret',
      { connection, credentials: { ...credentials, secrets: [] } },
      'a list of at least one secret',
    ],
  ];

  it.each(wrong)('refuses %s', (_, options, message) => {
    const make = () => bullmqRuns(options as BullmqRunsOptions);
    expect(make).toThrow(message);
    expect(make).toThrow(/^bullmqRuns\(\) cannot start: /);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });

  it('never shows a secret or a password', () => {
    const options = {
      connection: { password: 'canary', host: '' },
      credentials: { ...credentials, secrets: ['canary'] },
    } as unknown as BullmqRunsOptions;
    expect(() => bullmqRuns(options)).toThrow(/^(?!.*canary)/);
  });

  it('says that it is not open, and closes without having been', async () => {
    const runs = bullmqRuns({ connection });
    const job = { v: 1, runId: 'run', sessionId: 'session', attempt: 1 };
    await expect(runs.add(job, 0)).rejects.toMatchObject({ code: 'queue_unavailable' });
    await expect(runs.check()).rejects.toThrow('is not open');
    await runs.drain();
    await runs.close();
  });

  it('names the command that installs what is missing', () => {
    jest.doMock('ioredis', () => {
      throw Object.assign(new Error("Cannot find module 'ioredis'"), { code: 'MODULE_NOT_FOUND' });
    });
    expect(() => loadOptional('ioredis', ['bullmq', 'ioredis'])).toThrow(
      'bullmqRuns() needs bullmq and ioredis. Install with: npm install bullmq ioredis',
    );
    jest.dontMock('ioredis');
  });
});

describe('jobIdOf()', () => {
  it('has no colon, is no number, and differs for different jobs', () => {
    const ids = [
      jobIdOf({ runId: 'a:b', attempt: 1 }),
      jobIdOf({ runId: 'a%3Ab', attempt: 1 }),
      jobIdOf({ runId: '1', attempt: 2 }),
      jobIdOf({ runId: '1.2', attempt: 3 }),
      jobIdOf({ runId: '1', attempt: 23 }),
    ];
    expect(ids).toEqual(['a%3Ab.1', 'a%253Ab.1', '1.2', '1.2.3', '1.23']);
  });
});
