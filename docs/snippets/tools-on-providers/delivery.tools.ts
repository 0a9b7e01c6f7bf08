import { DefaultValuePipe, Injectable, ParseIntPipe } from '@nestjs/common';
import { IsInt, IsString, Min } from 'class-validator';
import {
  AgentRun,
  Tool,
  ToolContext,
  ToolEmitter,
  Toolkit,
  ToolParam,
  ToolResult,
} from 'nestjs-agent';
import { map, range, type Observable } from 'rxjs';
import { Warehouse } from './warehouse';

export class OrderDto {
  @IsString()
  product!: string;

  @IsInt()
  @Min(1)
  pieces!: number;
}

@Toolkit({ description: 'What comes in and goes out' })
@Injectable()
export class DeliveryTools {
  // #region parameters
  @Tool({ description: 'List deliveries', readOnly: true })
  list_deliveries(
    @ToolParam('state', { enum: ['expected', 'arrived'] }) state: string,
    @ToolParam('since', { required: false }) since?: Date, // from ISO 8601 text
    @ToolParam('products', { type: [String], required: false }) products?: string[],
    @ToolParam('limit', new DefaultValuePipe(10), ParseIntPipe) limit?: number,
  ) {
    return { state, since, products, limit };
  }
  // #endregion parameters

  // #region whole
  @Tool({ description: 'Order pieces of a product', input: OrderDto })
  order(order: OrderDto) {
    return `${order.pieces} of ${order.product} ordered`;
  }
  // #endregion whole

  // #region injected
  @Tool({ description: 'Look at a shelf', readOnly: true })
  async look_at_shelf(
    @ToolParam('shelf') shelf: string,
    warehouse: Warehouse, // an instance that is registered as context
    context: ToolContext,
    emitter: ToolEmitter,
    run: AgentRun,
    signal: AbortSignal,
  ) {
    emitter.emit({ walkingTo: shelf }); // the same as context.emit(…)
    const products = await warehouse.look(shelf, signal);
    return { products, by: context.principal, agent: run.agentName };
  }
  // #endregion injected

  // #region preset
  @Tool({ name: 'send_letter', description: 'Send a letter to a supplier' })
  send(@ToolParam('text') text: string, sender: string) {
    return `"${text}" is on its way from ${sender}`;
  }
  // #endregion preset

  // #region progress
  @Tool({ description: 'Print labels', idempotent: true })
  print_labels(@ToolParam('count') count: number): Observable<string> {
    return range(1, count).pipe(map((label) => `${label} of ${count} printed`));
  }
  // #endregion progress

  @Tool({ description: 'Draw the plan of the warehouse', readOnly: true })
  plan() {
    return new ToolResult([
      { type: 'text', text: 'Two shelves, A and B.' },
      { type: 'image', mediaType: 'image/gif', data: 'R0lGODlhAQABAAAAACwAAAAAAQABAAA=' },
    ]);
  }

  // #region options
  @Tool({
    description: 'Ask the supplier for a price',
    readOnly: true,
    group: 'purchasing',
    timeoutMs: 5_000,
    retry: { maxAttempts: 2, initialBackoffMs: 10 },
    cacheTtlMs: 60_000, // for the same user and arguments
    examples: [{ input: { product: 'lamp' }, output: { price: 20 } }],
  })
  async ask_price(@ToolParam('product') product: string, warehouse: Warehouse) {
    return { price: await warehouse.priceOf(product) };
  }
  // #endregion options
}
