import { Module, UseGuards, ValidationPipe } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { AgentModule } from 'nestjs-agent';
import { BooksTools } from './books.tools.js';
import { COUNTERS } from './counter.tools.js';
import { OrdersController } from './orders.controller.js';
import { model } from './script.js';
import { TokenGuard } from './token.guard.js';
import { WarehouseTools } from './warehouse.tools.js';

@Module({
  imports: [AgentModule.forRoot({ model, decorators: [UseGuards(TokenGuard)] })],
  controllers: [OrdersController],
  providers: [
    WarehouseTools,
    BooksTools,
    ...COUNTERS,
    { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
  ],
})
export class AppModule {}
