import { Controller, Get, Param, ParseIntPipe, Post, Req, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';
import { type Order, OrdersService } from './orders.service';

// #region controller
@Controller('orders')
@UseGuards(HeaderGuard)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Tool({ name: 'list_orders', description: 'List the orders of the user' })
  @Get()
  list(@Req() { user }: RequestOfUser): readonly Order[] {
    return this.orders.of(user.id);
  }

  @Tool({ name: 'cancel_order', description: 'Cancel an order that is still open' })
  @Post(':id/cancel')
  cancel(@Req() { user }: RequestOfUser, @Param('id', ParseIntPipe) id: number): Order {
    return this.orders.cancel(user.id, id);
  }
}
// #endregion controller
