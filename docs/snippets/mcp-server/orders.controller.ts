import { Controller, Delete, Get, Param, ParseIntPipe, Req, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';
import { type Order, OrdersService } from '../start/orders.service';

@Controller('my-orders')
@UseGuards(HeaderGuard)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Tool({ name: 'list_orders', description: 'List the orders of the user' })
  @Get()
  list(@Req() request: RequestOfUser): readonly Order[] {
    return this.orders.of(request.user.id);
  }

  @Tool({ name: 'cancel_order', title: 'Cancel an order', description: 'Cancel an order' })
  @Delete(':id')
  cancel(@Param('id', ParseIntPipe) id: number): object {
    return { id, status: 'cancelled' };
  }
}
