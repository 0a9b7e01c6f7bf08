import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import OpenAI from 'openai';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';
import { OrdersService } from './orders.service';

const TOOLS: OpenAI.ChatCompletionFunctionTool[] = [
  {
    type: 'function',
    function: {
      name: 'list_orders',
      description: 'List the orders of the user',
      parameters: { type: 'object', properties: {} },
    },
  },
  // #region entry
  {
    type: 'function',
    function: {
      name: 'cancel_order',
      description: 'Cancel an order that is still open',
      parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    },
  },
  // #endregion entry
  {
    type: 'function',
    function: {
      name: 'shipping_price',
      description: 'The price of sending a parcel, in euros',
      parameters: {
        type: 'object',
        properties: { kilos: { type: 'number' } },
        required: ['kilos'],
      },
    },
  },
];

// #region loop
@Controller('assistant')
@UseGuards(HeaderGuard)
export class LoopController {
  private readonly openai = new OpenAI();

  constructor(private readonly orders: OrdersService) {}

  @Post()
  @HttpCode(200)
  async ask(@Body('message') message: string, @Req() { user }: RequestOfUser) {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'You help customers of the shop with their orders.' },
      { role: 'user', content: message },
    ];
    for (let step = 0; step < 5; step += 1) {
      const { choices } = await this.openai.chat.completions.create({
        model: 'gpt-4.1-mini',
        messages,
        tools: TOOLS,
      });
      const answer = choices[0]!.message;
      messages.push(answer);
      if (!answer.tool_calls) return { answer: answer.content };
      for (const call of answer.tool_calls) {
        if (call.type !== 'function') continue;
        const input = JSON.parse(call.function.arguments) as Record<string, number>;
        const content = JSON.stringify(this.run(call.function.name, input, user.id));
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
    }
    return { answer: 'Sorry, that took too long.' };
  }

  private run(name: string, input: Record<string, number>, user: string): unknown {
    switch (name) {
      case 'list_orders':
        return this.orders.of(user);
      case 'cancel_order':
        return this.orders.cancel(user, input.id!);
      case 'shipping_price':
        return { euros: 4 + 2 * input.kilos! };
      default:
        return `There is no tool ${name}.`;
    }
  }
}
// #endregion loop
