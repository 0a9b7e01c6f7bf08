/** The application that the examples in doc comments assume. */
import { type CanActivate, Controller, Get, Injectable } from '@nestjs/common';

@Injectable()
export class JwtAuthGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Controller('orders')
export class OrdersController {
  @Get()
  findAll(): readonly string[] {
    return [];
  }
}

@Controller('legacy-orders')
export class LegacyOrdersController {}

@Injectable()
export class Settings {
  readonly prompt: string = '';
}

export class AuthModule {}
export class OrdersModule {}
export class ReportsModule {}
export class SettingsModule {}
