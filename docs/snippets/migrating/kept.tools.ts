import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ToolDefinition, ToolRegistry } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { OrdersService } from './orders.service';

// The array as it was, in nestjs-agent's words: `parameters` is `input_schema`.
const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_orders',
    description: 'List the orders of the user',
    input_schema: { type: 'object', properties: {} },
  },
  {
    name: 'cancel_order',
    description: 'Cancel an order that is still open',
    input_schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
  {
    name: 'shipping_price',
    description: 'The price of sending a parcel, in euros',
    input_schema: {
      type: 'object',
      properties: { kilos: { type: 'number' } },
      required: ['kilos'],
    },
  },
];

// #region register
@Injectable()
export class KeptTools implements OnModuleInit {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly orders: OrdersService,
  ) {}

  onModuleInit(): void {
    for (const tool of TOOLS) {
      this.registry.register(tool, (input, { principal }) =>
        this.run(tool.name, input, principal ?? ''),
      );
    }
  }
  // #endregion register

  private run(name: string, input: JsonObject, user: string): unknown {
    switch (name) {
      case 'list_orders':
        return this.orders.of(user);
      case 'cancel_order':
        return this.orders.cancel(user, Number(input.id));
      default:
        return { euros: 4 + 2 * Number(input.kilos) };
    }
  }
}
