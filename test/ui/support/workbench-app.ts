import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BadRequestException,
  Body,
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  UseFilters,
  UseGuards,
  UsePipes,
  type CanActivate,
  type INestApplication,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AgentModule, Tool, ToolField, ToolParam, type AgentModuleOptions } from 'nestjs-agent';
import type { EvalFile } from 'nestjs-agent/evals';
import { McpPrompt, McpResource, McpServerModule } from 'nestjs-agent/mcp';
import { ScriptedModel } from 'nestjs-agent/testing';
import { LoginGuard, MathTools } from '../../http/agent-app';
import { EvenPipe, TeapotFilter } from '../../http/failing-stages';

/** A text that executes if a page inserts it as markup. */
export const EVIL = '<img src=x onerror="window.hacked=1">';
const PROTO = JSON.parse(
  `{ "__proto__": { "type": "string", "description": ${JSON.stringify(EVIL)} } }`,
) as object;

@Injectable()
class Closed implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('The shop is closed.');
  }
}

class Refund {
  @ToolField({ description: 'The reason' })
  reason!: string;

  @ToolField({ description: 'The secret of the till', sensitive: true })
  pin!: string;

  @ToolField({ description: 'Preset, and redacted by its name' })
  token!: string;
}

@Injectable()
class ShopTools {
  @Tool({ description: 'The shelf of a number', readOnly: true })
  @UsePipes(EvenPipe)
  find_shelf(@ToolParam('shelf', { description: 'Its number' }) shelf: number): number {
    return shelf;
  }

  @Tool({ description: 'Fails as a teapot', readOnly: true })
  @UseFilters(TeapotFilter)
  brew_tea(): never {
    throw new BadRequestException('not told');
  }

  @Tool({ description: 'Count the takings of the night', readOnly: true, group: 'night' })
  count_takings(): number {
    return 7;
  }

  @Tool({ description: 'Sell the shop', destructive: true })
  sell_shop(): string {
    return 'never';
  }

  @McpResource({ uri: 'shop://hours', name: 'hours', description: 'Opening hours' })
  hours(): string {
    return '9 to 5';
  }

  @McpPrompt({ name: 'greet', description: 'Greets a customer' })
  greet(@ToolParam('customer') customer: string): string {
    return `Hello ${customer}`;
  }

  @Tool({ description: 'Open the till', readOnly: true })
  @UseGuards(Closed)
  open_till(): string {
    return 'never';
  }

  @Tool({
    name: 'read_reviews',
    description: `Hostile ${EVIL}`,
    readOnly: true,
    input: { type: 'object', properties: PROTO, additionalProperties: true },
  })
  reviews(): object {
    return { [EVIL]: EVIL };
  }

  @Tool({ description: 'Find books in a catalogue of a great many books', readOnly: true })
  find_books(
    @ToolParam('title', { description: 'Words of the title' }) title: string,
    @ToolParam('isNew', { description: 'Only new ones', required: false }) isNew?: boolean,
  ): object {
    if (title === 'none') throw new BadRequestException('There is no such book.');
    return { books: [title], isNew: isNew ?? null };
  }
}

@Controller('orders')
class OrdersController {
  @Tool({ name: 'list_orders', description: 'The orders' })
  @Get()
  list(): readonly object[] {
    return [{ id: 7, status: 'sent' }];
  }

  @Tool({ name: 'refund_order', description: 'Pay an order back' })
  @Post(':id/refunds')
  refund(@Param('id') id: string, @Body() { reason }: Refund): object {
    return { id, reason };
  }
}

/** Answers for the shop's own agent. */
export const model = new ScriptedModel([]);
/** The other model of that agent. */
export const big = new ScriptedModel([], { name: 'big-model' });
/** Answers for the agent `orders`, which the shop's own agent may ask. */
export const orders = new ScriptedModel([], { name: 'orders-model' });

const FOLDER = mkdtempSync(join(tmpdir(), 'nestjs-agent-workbench-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));
const EVALS = join(FOLDER, 'shop.evals.json');
/** The cases of the agent `orders`. */
export const YAML = join(FOLDER, 'orders.evals.yaml');
/** Writes the cases of the shop's own agent. */
export const writeEvals = (contents: EvalFile | string): void =>
  writeFileSync(EVALS, typeof contents === 'string' ? contents : JSON.stringify(contents));
const PRICES = { input: 400, output: 1_600 };

/** A bookshop with three agents: one has its cases in JSON, one in YAML, and one has none. */
export async function workbenchApp(
  adapter: AbstractHttpAdapter,
  more: Partial<AgentModuleOptions> = {},
): Promise<INestApplication> {
  @Module({
    imports: [
      McpServerModule.forRoot({ decorators: [UseGuards(LoginGuard)] }),
      AgentModule.forRoot({
        name: 'shop',
        model,
        models: { big },
        agents: ['orders'],
        workbench: { when: 'development', evals: EVALS },
        systemPrompt: 'You help the staff of a bookshop.',
        decorators: [UseGuards(LoginGuard)],
        permissions: { sell_shop: 'deny' },
        presets: { refund_order: { token: 'preset-secret' } },
        groups: [{ name: 'night', description: 'At night', active: false }],
        budget: {
          cost: {
            max: 100,
            prices: { scripted: PRICES, 'big-model': PRICES, 'orders-model': PRICES },
          },
        },
        ...more,
      }),
      AgentModule.forFeature({
        name: 'orders',
        description: 'Knows the orders',
        model: orders,
        models: {},
        decorators: [UseGuards(LoginGuard)],
        tools: { include: ['list_orders'] },
        workbench: { evals: YAML },
      }),
      AgentModule.forFeature({ name: 'till', decorators: [UseGuards(LoginGuard)] }),
    ],
    controllers: [OrdersController],
    providers: [MathTools, ShopTools],
  })
  class ShopModule {}

  const testing = await Test.createTestingModule({ imports: [ShopModule] }).compile();
  return testing.createNestApplication(adapter, { logger: false });
}
