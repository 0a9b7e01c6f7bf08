import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import type { AccessToken } from './access-token';
import { AuthService } from './auth.service';
import { LoginDto } from './login.dto';

@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('login')
  @HttpCode(HttpStatus.OK)
  login(@Body() credentials: LoginDto): Promise<AccessToken> {
    return this.auth.login(credentials);
  }
}
