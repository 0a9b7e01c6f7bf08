import type { Role } from './user';

/** What an access token says of its bearer. */
export interface AccessTokenClaims {
  readonly sub: string;
  readonly role: Role;
}

export interface AccessToken {
  readonly access_token: string;
}
