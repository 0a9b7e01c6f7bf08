import type { Role } from './user';

/** The claims of an access token. */
export interface AccessTokenClaims {
  readonly sub: string;
  readonly role: Role;
}

export interface AccessToken {
  readonly access_token: string;
}
