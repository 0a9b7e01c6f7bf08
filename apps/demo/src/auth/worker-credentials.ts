import { JwtService } from '@nestjs/jwt';
import type { RunCredentials } from 'nestjs-agent/types';
import type { AccessTokenClaims } from './access-token';
import type { AuthenticatedRequest } from './authenticated-request';
import { UsersService } from './users.service';

type Environment = Readonly<Record<string, string | undefined>>;

const LIFETIME_S = 10 * 60;

/** How a worker becomes the user whose message it answers: the queue has the user's name only. */
export function workerCredentials(environment: Environment): RunCredentials | 'none' {
  const { REDIS_URL, JWT_SECRET: jwtSecret = '', CLAIM_SECRET: claimSecret = '' } = environment;
  if (!REDIS_URL) return 'none';
  if (jwtSecret === '' || claimSecret === '') {
    throw new Error('With REDIS_URL, all processes need the same JWT_SECRET and CLAIM_SECRET.');
  }
  const jwt = new JwtService({ secret: jwtSecret, signOptions: { algorithm: 'HS256' } });
  const users = new UsersService();
  return {
    delegate: (request) => users.get((request as AuthenticatedRequest).user?.id).id,
    redeem: async (id) => {
      // The user may have been removed, or have another role, since the message was sent.
      const user = users.get(id);
      const claims: AccessTokenClaims = { sub: user.id, role: user.role };
      const token = await jwt.signAsync(claims, { expiresIn: LIFETIME_S });
      return {
        headers: { authorization: `Bearer ${token}` },
        expiresAt: new Date(Date.now() + LIFETIME_S * 1_000),
      };
    },
    secrets: [claimSecret],
  };
}
