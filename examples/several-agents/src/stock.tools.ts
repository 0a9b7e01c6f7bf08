import { Injectable } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

const ITEM = { description: 'The item', enum: ['lamp', 'chair'] };

@Toolkit({ description: 'The warehouse' })
@Injectable()
export class StockTools {
  private readonly stock = new Map([
    ['lamp', 12],
    ['chair', 0],
  ]);

  @Tool({
    name: 'stock_count',
    description: 'Count how many of an item are in stock',
    readOnly: true,
  })
  count(@ToolParam('item', ITEM) item: string): number {
    return this.stock.get(item) ?? 0;
  }

  @Tool({ name: 'stock_order', description: 'Order more of an item', permission: 'ask' })
  order(
    @ToolParam('item', ITEM) item: string,
    @ToolParam('amount', { description: 'How many' }) amount: number,
  ): string {
    return `${amount} of ${item} are ordered.`;
  }
}
