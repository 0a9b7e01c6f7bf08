import { Controller, Get, Param, Req, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';
import { OrdersService } from '../start/orders.service';
import { AdminGuard } from './admin.guard';

// #region controller
@Controller()
@UseGuards(HeaderGuard)
export class ShopController {
  constructor(private readonly orders: OrdersService) {}

  @Tool({ name: 'list_orders', description: 'List the orders of the user' })
  @Get('orders')
  list(@Req() { user }: RequestOfUser) {
    return this.orders.of(user.id); // who asks comes from the request, never from an argument
  }

  @Tool({ name: 'track_parcel', description: 'Where a parcel is' })
  @Get('parcels/:code')
  track(@Param('code') code: string) {
    return `Parcel ${code} is in Ulm.`;
  }

  @Tool({ name: 'list_customers', description: 'List all customers' })
  @Get('customers')
  @UseGuards(AdminGuard)
  customers() {
    return ['ada', 'grace'];
  }
}
// #endregion controller
