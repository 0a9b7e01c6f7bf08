import { readRunJob } from './run-job';

const job = { v: 1, runId: 'run', sessionId: 'session', attempt: 1 };

describe('readRunJob()', () => {
  it('reads a job, and drops unknown fields', () => {
    const whole = { ...job, agent: 'research', sealed: 'text' };
    expect(readRunJob({ ...whole, headers: { cookie: 'x' } })).toEqual({ kind: 'job', job: whole });
    expect(readRunJob(job)).toEqual({ kind: 'job', job });
  });

  it('tells a newer job by its version alone', () => {
    expect(readRunJob({ v: 2 })).toEqual({ kind: 'newer' });
    expect(readRunJob({ ...job, v: Number.MAX_SAFE_INTEGER, runId: 7 })).toEqual({ kind: 'newer' });
  });

  it.each([
    undefined,
    null,
    'text',
    [],
    {},
    { ...job, v: 0 },
    { ...job, v: 1.5 },
    { ...job, v: Infinity },
    { ...job, v: '2' },
    { ...job, runId: undefined },
    { ...job, runId: '' },
    { ...job, runId: 'x'.repeat(257) },
    { ...job, runId: 'half a character: \ud800' },
    { ...job, sessionId: 1 },
    { ...job, attempt: 0 },
    { ...job, agent: null },
    { ...job, sealed: '' },
    { ...job, sealed: 'x'.repeat(8_193) },
  ])('refuses %j', (data) => {
    expect(readRunJob(data)).toEqual({ kind: 'malformed' });
  });
});
