import type { JwtService } from '@nestjs/jwt';
import type { RunCredentials } from 'nestjs-agent/types';
import type { RequestOfUser } from '../start/header.guard';

// #region credentials
/** @param secret 32 characters or more, the same in all processes */
export function credentialsOf(jwt: JwtService, secret: string): RunCredentials {
  return {
    delegate: (request) => (request as RequestOfUser).user.id,
    redeem: async (id) => ({
      headers: {
        authorization: `Bearer ${await jwt.signAsync({ sub: id }, { expiresIn: '10m' })}`,
      },
      expiresAt: new Date(Date.now() + 600_000),
    }),
    secrets: [secret],
  };
}
// #endregion credentials
