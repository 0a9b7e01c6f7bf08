import { Module } from '@nestjs/common';
import { LoopController } from './loop.controller';
import { OrdersService } from './orders.service';

@Module({ controllers: [LoopController], providers: [OrdersService] })
export class LoopModule {}
