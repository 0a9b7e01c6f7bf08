import { Injectable } from '@nestjs/common';
import { ToolCallFactory } from 'nestjs-agent';

// #region calls
@Injectable()
export class Inventory {
  constructor(private readonly calls: ToolCallFactory) {}

  async count(product: string, principal: string): Promise<unknown> {
    const call = await this.calls.create('stock_count', { product }, { principal });
    if (call.response.status !== 'pending') return call.response.error; // refused, and why
    const { status, result, error } = await call.response.execute();
    return status === 'executed' ? result : error;
  }
}
// #endregion calls
