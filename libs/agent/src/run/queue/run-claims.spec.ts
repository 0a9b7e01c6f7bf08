import { HttpException, Logger } from '@nestjs/common';
import { runOptions } from '../../agent.defaults';
import { memoryRuns } from '../../testing';
import type { CallerGate } from './caller-gate';
import { RunClaims } from './run-claims';

const RUN = { runId: 'run_1', sessionId: 'ses_1', principal: 'alice' };
const MINUTE_MS = 60_000;
const REFUSED = { code: 'credentials_refused' };

describe('a claim', () => {
  const gate: CallerGate = {
    unavailability: () => undefined,
    originOf: () => ({ isEncrypted: true }),
    enter: () => Promise.resolve({ principal: 'alice', request: {}, within: (work) => work() }),
  };
  let lifeMs = 0;
  const credentials = {
    delegate: () => 'alice',
    redeem: () => ({ headers: {}, expiresAt: new Date(Date.now() + lifeMs) }),
    secrets: ['a secret of at least 32 characters'] as const,
  };
  const options = runOptions({ limits: { queueTimeoutMs: 10 * MINUTE_MS } });
  const claims = new RunClaims(memoryRuns({ credentials }), options, gate);
  const failing = (status: number) => ({
    ...credentials,
    redeem: () => {
      throw new HttpException('No.', status);
    },
  });
  let warned: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.now() });
    warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const sealed = async (): Promise<string> => (await claims.sealedFor({}, RUN)) ?? '';

  it('opens until an hour after the time that a run may wait, and not a millisecond longer', async () => {
    lifeMs = MINUTE_MS;
    const claim = await sealed();
    jest.setSystemTime(Date.now() + 70 * MINUTE_MS);
    expect(await claims.open(claim, RUN, undefined)()).toMatchObject({ principal: 'alice' });
    jest.setSystemTime(Date.now() + 1);
    expect(() => claims.open(claim, RUN, undefined)).toThrow(expect.objectContaining(REFUSED));
    expect(warned.mock.calls).toEqual([['Run run_1 was refused: its sealed claim does not open.']]);
  });

  it.each([1, MINUTE_MS, 15 * MINUTE_MS])('is redeemed for %d ms', async (ms) => {
    lifeMs = ms;
    const { expiresAt } = await claims.open(await sealed(), RUN, undefined)();
    expect(expiresAt).toBe(Date.now() + ms);
  });

  it('is redeemed for 15 minutes at most, though a clock that is ahead says more', async () => {
    lifeMs = 16 * MINUTE_MS;
    const { expiresAt } = await claims.open(await sealed(), RUN, undefined)();
    expect(expiresAt).toBe(Date.now() + 15 * MINUTE_MS);
  });

  it.each([-1, 0, 16 * MINUTE_MS + 1, Infinity, NaN])(
    'is refused with a credential of %d ms',
    async (ms) => {
      lifeMs = ms;
      const become = claims.open(await sealed(), RUN, undefined);
      await expect(become()).rejects.toMatchObject(REFUSED);
      expect(warned.mock.calls).toEqual([
        [expect.stringContaining('no credential that expires within 15 minutes')],
      ]);
    },
  );

  it.each([400, 401, 403, 404])('is refused for good if redeem() answers %d', async (status) => {
    const refusing = new RunClaims(memoryRuns({ credentials: failing(status) }), options, gate);
    const become = refusing.open((await refusing.sealedFor({}, RUN)) ?? '', RUN, undefined);
    await expect(become()).rejects.toMatchObject(REFUSED);
    expect(warned.mock.calls).toEqual([['Run run_1 was refused: redeem() refused its claim.']]);
  });

  it.each([429, 500, 503])(
    'is kept for the next attempt if redeem() answers %d',
    async (status) => {
      const away = new RunClaims(memoryRuns({ credentials: failing(status) }), options, gate);
      const become = away.open((await away.sealedFor({}, RUN)) ?? '', RUN, undefined);
      await expect(become()).rejects.toMatchObject({ status });
      expect(warned).not.toHaveBeenCalled();
    },
  );

  it('that delegate() never gives refuses its request, which would count as a run for ever', async () => {
    const delegate = (): Promise<string> => new Promise(() => undefined);
    const queue = memoryRuns({ credentials: { ...credentials, delegate } });
    const refused = new RunClaims(queue, options, gate).sealedFor({}, RUN);
    const said = expect(refused).rejects.toThrow('credentials.delegate did not answer in time.');
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    await said;
  });
});
