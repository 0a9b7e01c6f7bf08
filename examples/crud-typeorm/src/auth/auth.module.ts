import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AuthController } from './auth.controller';
import { JwtStrategy } from './jwt.strategy';
import { SECRET } from './secret';

@Module({
  imports: [JwtModule.register({ secret: SECRET, signOptions: { expiresIn: '1h' } })],
  controllers: [AuthController],
  providers: [JwtStrategy],
})
export class AuthModule {}
