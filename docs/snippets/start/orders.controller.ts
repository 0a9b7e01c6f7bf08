import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { HeaderGuard, type RequestOfUser } from './header.guard';
import { type Order, OrdersService } from './orders.service';

@Controller('orders')
@UseGuards(HeaderGuard)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Tool({ name: 'list_orders', description: 'List the orders of the user' })
  @Get()
  list(@Req() request: RequestOfUser): readonly Order[] {
    return this.orders.of(request.user.id);
  }
}
