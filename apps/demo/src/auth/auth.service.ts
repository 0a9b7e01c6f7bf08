import { Injectable, UnauthorizedException } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { AccessToken, AccessTokenClaims } from './access-token';
import type { LoginDto } from './login.dto';
import { UsersService } from './users.service';

@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly jwt: JwtService,
  ) {}

  async login({ username, password }: LoginDto): Promise<AccessToken> {
    const user = this.users.verify(username, password);
    if (user === undefined) throw new UnauthorizedException('Wrong user name or password.');
    const claims: AccessTokenClaims = { sub: user.id, role: user.role };
    return { access_token: await this.jwt.signAsync(claims) };
  }
}
