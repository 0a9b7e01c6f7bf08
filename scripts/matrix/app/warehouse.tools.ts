import { Injectable, ParseIntPipe } from '@nestjs/common';
import { Tool, ToolContext, Toolkit, ToolParam } from 'nestjs-agent';
import { NewOrder } from './orders.controller.js';

@Toolkit({ description: 'The warehouse' })
@Injectable()
export class WarehouseTools {
  @Tool({ description: 'Add two whole numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b', ParseIntPipe) b: number): number {
    return a + b;
  }

  @Tool({ description: 'Tell whether an order can be met', readOnly: true, input: NewOrder })
  check_stock(order: NewOrder, context: ToolContext): string {
    const checked = order instanceof NewOrder ? 'checked' : 'unchecked';
    return `${order.quantity} in stock for ${context.principal}, ${checked}`;
  }
}
