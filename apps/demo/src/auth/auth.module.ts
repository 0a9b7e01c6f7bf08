import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { randomBytes } from 'node:crypto';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { JwtAuthGuard } from './jwt-auth.guard';
import { RolesGuard } from './roles.guard';
import { UsersService } from './users.service';

@Module({
  imports: [
    JwtModule.registerAsync({
      // Without JWT_SECRET, tokens become invalid when the process ends, which suits a demo.
      useFactory: () => ({
        secret: process.env.JWT_SECRET || randomBytes(32).toString('hex'),
        signOptions: { algorithm: 'HS256', expiresIn: '8h' },
        verifyOptions: { algorithms: ['HS256'] },
      }),
    }),
  ],
  controllers: [AuthController],
  providers: [AuthService, UsersService, JwtAuthGuard, RolesGuard],
  exports: [UsersService, JwtAuthGuard, RolesGuard, JwtModule],
})
export class AuthModule {}
