import { Body, Controller, HttpCode, Post, UnauthorizedException } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LoginDto } from './login.dto';

/** Stands for your table of users, whose passwords are hashed. */
const USERS = new Map([
  ['ada', 'ada-secret'],
  ['grace', 'grace-secret'],
]);

@Controller('auth')
export class AuthController {
  constructor(private readonly jwt: JwtService) {}

  @Post('login')
  @HttpCode(200)
  login(@Body() { username, password }: LoginDto): { token: string } {
    if (USERS.get(username) !== password) throw new UnauthorizedException();
    return { token: this.jwt.sign({ sub: username }) };
  }
}
