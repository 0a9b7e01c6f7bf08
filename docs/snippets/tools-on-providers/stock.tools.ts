import { Injectable } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { StockService } from './stock.service';

@Toolkit({ description: 'The stock of the warehouse', prefix: 'stock_' })
@Injectable()
export class StockTools {
  constructor(private readonly stock: StockService) {}

  @Tool({ description: 'Count the pieces of a product', readOnly: true })
  count(@ToolParam('product', { description: 'Its name', example: 'lamp' }) product: string) {
    return { product, pieces: this.stock.pieces(product) };
  }
}
