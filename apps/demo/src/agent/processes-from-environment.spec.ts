import { processesFromEnvironment } from './processes-from-environment';

const REDIS_URL = 'redis://127.0.0.1:1';
const OPTIONS = { prefix: 'demo', credentials: 'none' } as const;

describe('processesFromEnvironment', () => {
  it('adds nothing without a Redis', () => {
    expect(processesFromEnvironment({ ROLE: 'worker' }, OPTIONS)).toEqual({});
  });

  it.each([
    [undefined, 'both'],
    ['web', 'web'],
    ['worker', 'worker'],
  ])('ROLE %s: %s', (ROLE, role) => {
    const { bus, runs } = processesFromEnvironment({ REDIS_URL, ROLE }, OPTIONS);
    expect(bus).toBeDefined();
    expect(runs).toMatchObject({ role, credentials: 'none' });
  });

  it('refuses another role', () => {
    expect(() => processesFromEnvironment({ REDIS_URL, ROLE: 'boss' }, OPTIONS)).toThrow(
      'ROLE must be web, worker or both, not boss.',
    );
  });
});
