import { Injectable } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

@Toolkit({ description: 'Orders of customers' })
@Injectable()
export class OrdersTools {
  @Tool({ name: 'orders_find', description: 'Find an order by its number', readOnly: true })
  find(@ToolParam('id', { description: 'The number of the order' }) id: number): object {
    return { id, item: 'lamp', status: 'open' };
  }
}
