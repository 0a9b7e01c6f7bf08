import { Injectable, UnauthorizedException } from '@nestjs/common';
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { User } from './user';
import { DEMO_USERS } from './users.seed';

interface Credentials {
  readonly user: User;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const HASH_BYTES = 32;

@Injectable()
export class UsersService {
  private readonly credentials: ReadonlyMap<string, Credentials>;

  constructor() {
    this.credentials = new Map(
      DEMO_USERS.map(({ id, role, password }) => {
        const salt = randomBytes(16);
        return [id, { user: { id, role }, salt, hash: scryptSync(password, salt, HASH_BYTES) }];
      }),
    );
  }

  /** @throws UnauthorizedException without a login, or for an unknown user */
  get(id: string | undefined): User {
    const user = id === undefined ? undefined : this.credentials.get(id)?.user;
    if (user === undefined) throw new UnauthorizedException('Log in first.');
    return user;
  }

  /** The user whose name and password these are, or `undefined`. */
  verify(username: string, password: string): User | undefined {
    const credentials = this.credentials.get(username);
    if (credentials === undefined) return undefined;
    const hash = scryptSync(password, credentials.salt, HASH_BYTES);
    return timingSafeEqual(hash, credentials.hash) ? credentials.user : undefined;
  }
}
