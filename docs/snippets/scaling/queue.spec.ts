import { runs } from './queue';

describe('the queue of the guide', () => {
  it('accepts runs unless the process is a worker', () => {
    expect(runs).toMatchObject({ role: 'web', maxAttempts: 3, credentials: 'none' });
  });
});
