import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { InsufficientScopeException } from 'nestjs-agent/mcp';
import type { RequestOfUser } from '../start/header.guard';

// #region guard
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestOfUser>();
    const { sub, scope = '' } = await this.claimsOf(request.headers.authorization);
    if (!scope.split(' ').includes('orders')) throw new InsufficientScopeException(['orders']);
    request.user = { id: sub };
    return true;
  }

  private async claimsOf(header = ''): Promise<{ sub: string; scope?: string }> {
    try {
      return await this.jwt.verifyAsync(header.replace(/^Bearer /i, ''), {
        issuer: 'https://login.example',
        audience: 'https://shop.example/mcp', // a token for another service is not for this one
      });
    } catch {
      throw new UnauthorizedException();
    }
  }
}
// #endregion guard
