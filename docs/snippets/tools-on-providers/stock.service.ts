import { Injectable } from '@nestjs/common';
import { ToolError } from 'nestjs-agent';

@Injectable()
export class StockService {
  private readonly stock = new Map([
    ['lamp', 12],
    ['chair', 0],
  ]);

  // #region error
  pieces(product: string): number {
    const pieces = this.stock.get(product);
    if (pieces !== undefined) return pieces;
    const known = [...this.stock.keys()].join(', ');
    throw new ToolError(`There is no product "${product}". There are: ${known}.`);
  }
  // #endregion error
}
