import {
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import { InsufficientScopeException } from 'nestjs-agent/mcp';
import { ISSUER, RESOURCE } from './addresses';

export interface RequestOfUser extends Request {
  user: { readonly id: string };
}

@Injectable()
export class TokenGuard implements CanActivate {
  private readonly keys = createRemoteJWKSet(new URL(`${ISSUER}/jwks`));

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestOfUser>();
    const { sub = '', scope = '' } = await this.claimsOf(request.headers.authorization);
    // A host can ask its user for more rights after this exception.
    if (!String(scope).split(' ').includes('orders')) {
      throw new InsufficientScopeException(['orders']);
    }
    request.user = { id: sub };
    return true;
  }

  private async claimsOf(header = ''): Promise<JWTPayload> {
    try {
      // The audience: a token that was issued for another service is not for this one.
      const expected = { issuer: ISSUER, audience: RESOURCE };
      return (await jwtVerify(header.replace(/^Bearer /i, ''), this.keys, expected)).payload;
    } catch {
      throw new UnauthorizedException();
    }
  }
}
