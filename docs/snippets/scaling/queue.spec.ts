import { JwtService } from '@nestjs/jwt';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import { credentialsOf } from './credentials';
import { runs } from './queue';

describe('the queue of the guide', () => {
  it('accepts runs unless the process is a worker', () => {
    expect(runs).toMatchObject({ role: 'web', maxAttempts: 3, credentials: 'none' });
  });

  it('has a worker log in as the user of the request', async () => {
    const jwt = new JwtService({ secret: 'of the log-in' });
    const credentials = credentialsOf(jwt, 's'.repeat(32));
    bullmqRuns({ connection: { host: '127.0.0.1' }, credentials });

    const run = { runId: 'run_1', sessionId: 'ses_1', principal: 'ada' };
    const claim = await credentials.delegate({ headers: {}, user: { id: 'ada' } }, run);
    const { headers, expiresAt } = await credentials.redeem(claim, run);

    const token = headers['authorization']?.replace('Bearer ', '') ?? '';
    const { sub, exp } = await jwt.verifyAsync<{ sub: string; exp: number }>(token);
    expect(sub).toBe('ada');
    expect(Math.abs(exp * 1_000 - expiresAt.getTime())).toBeLessThan(2_000);
  });
});
