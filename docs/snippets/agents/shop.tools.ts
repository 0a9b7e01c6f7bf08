import { Injectable } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

@Toolkit({ description: 'Orders of the shop' })
@Injectable()
export class OrderTools {
  @Tool({ name: 'orders_find', description: 'Find an order', readOnly: true })
  find(@ToolParam('id') id: string) {
    return { id, state: 'shipped' };
  }

  @Tool({ name: 'orders_cancel', description: 'Cancel an order', destructive: true })
  cancel(@ToolParam('id') id: string) {
    return `${id} is cancelled`;
  }

  @Tool({ name: 'stock_count', description: 'Count what is in stock', readOnly: true })
  count() {
    return 12;
  }
}
