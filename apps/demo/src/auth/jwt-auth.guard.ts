import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { AccessTokenClaims } from './access-token';
import type { AuthenticatedRequest } from './authenticated-request';

/** Admits requests with one of the demo's tokens, and puts the user on the request. */
@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) {
      throw new UnauthorizedException('Log in first: send "Authorization: Bearer <token>".');
    }
    const { sub, role } = await this.verify(token);
    request.user = { id: sub, role };
    return true;
  }

  private async verify(token: string): Promise<AccessTokenClaims> {
    try {
      return await this.jwt.verifyAsync<AccessTokenClaims>(token);
    } catch {
      throw new UnauthorizedException('The token is not valid or has expired. Log in again.');
    }
  }
}

function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
}
