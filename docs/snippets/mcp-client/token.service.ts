import { Injectable } from '@nestjs/common';

/** The tokens that the issue tracker gave to our users, and one for the application itself. */
@Injectable()
export class TokenService {
  issuesToken(user: string | undefined): Promise<string> {
    return Promise.resolve(user === undefined ? 'token-of-the-shop' : `token-of-${user}`);
  }
}
