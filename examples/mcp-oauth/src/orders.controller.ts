import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { type RequestOfUser, TokenGuard } from './token.guard';

const ORDERS = [
  { id: 17, customer: 'ada', status: 'sent' },
  { id: 18, customer: 'grace', status: 'open' },
];

@Controller('orders')
@UseGuards(TokenGuard)
export class OrdersController {
  @Tool({ name: 'list_orders', description: 'List the orders of the user' })
  @Get()
  list(@Req() { user }: RequestOfUser): object[] {
    return ORDERS.filter(({ customer }) => customer === user.id);
  }
}
