import { Injectable, NotFoundException } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

interface Order {
  readonly id: number;
  readonly status: 'open' | 'sent';
}

@Toolkit({ description: 'Orders of the shop' })
@Injectable()
export class OrdersTools {
  private readonly orders: readonly Order[] = [
    { id: 17, status: 'sent' },
    { id: 18, status: 'open' },
  ];

  @Tool({ name: 'list_orders', description: 'List all orders', readOnly: true })
  list(): readonly Order[] {
    return this.orders;
  }

  @Tool({ name: 'get_order', description: 'Look an order up by its number', readOnly: true })
  find(@ToolParam('id', { description: 'The number of the order' }) id: number): Order {
    const order = this.orders.find((each) => each.id === id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}.`);
    return order;
  }
}
