// The same, its tool a route behind a guard and a pipe: a request of its own in the same process.
import 'reflect-metadata';
import {
  type CanActivate,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  UseGuards,
} from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { findOrder, TOOL_DESCRIPTION, TOOL_NAME } from '../shop.cjs';
import { agentModule, serve } from './nest-server';

@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Controller('orders')
@UseGuards(OpenGuard)
class OrdersController {
  @Tool({ name: TOOL_NAME, description: TOOL_DESCRIPTION })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number) {
    return findOrder(id);
  }
}

@Module({ imports: [agentModule()], controllers: [OrdersController] })
class AppModule {}

void serve(AppModule);
