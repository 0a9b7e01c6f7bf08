import { EventEmitter, once } from 'node:events';
import {
  Body,
  Controller,
  Get,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { Tool, ToolContext, ToolError, ToolParam } from 'nestjs-agent';
import { McpPrompt, McpResource } from 'nestjs-agent/mcp';
import { LoginGuard } from '../http/agent-app';

interface ShopRequest {
  readonly user: { readonly id: string };
}

/** Lets a test see how far a tool is, and let it go on. */
@Injectable()
export class Work extends EventEmitter {
  /** What was removed, by whom. */
  readonly removed: string[] = [];
}

@Injectable()
export class ShopTools {
  constructor(private readonly work: Work) {}

  @Tool({ description: 'Add two numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }

  @Tool({ description: 'Tell who is logged in', readOnly: true })
  who_am_i(ctx: ToolContext): string {
    return ctx.principal ?? 'anonymous';
  }

  @Tool({ description: 'Count the characters of a text', readOnly: true })
  count_characters(@ToolParam('text') text: string): number {
    return text.length;
  }

  @Tool({ description: 'Alice alone sees this', visible: (ctx) => ctx.principal === 'alice' })
  hidden(): string {
    return 'seen';
  }

  @Tool({ description: 'Fails', readOnly: true })
  fail(): never {
    throw new ToolError('The shop is closed.');
  }

  @Tool({ description: 'Reports progress, and goes on when it is told to' })
  async report(ctx: ToolContext): Promise<string> {
    const going = once(this.work, 'go');
    ctx.emit({ progress: 1, total: 2, message: 'half' });
    await going;
    return 'reported';
  }

  @Tool({ description: 'Works until it is cancelled' })
  async linger(ctx: ToolContext): Promise<string> {
    const aborted = once(ctx.signal, 'abort');
    this.work.emit('lingering');
    await aborted;
    this.work.emit('aborted');
    return 'cancelled';
  }

  @Tool({ description: 'Remove a file', destructive: true })
  remove_file(@ToolParam('name') name: string, ctx: ToolContext): string {
    this.work.removed.push(`${name} by ${ctx.principal}`);
    return `removed ${name}`;
  }
}

@Controller('orders')
@UseGuards(LoginGuard)
export class OrdersController {
  @Tool({ name: 'find_order', description: 'Find an order of the caller' })
  @McpResource({ uri: 'orders://{id}', name: 'order', description: 'An order of the caller' })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number, @Req() request: ShopRequest) {
    if (id === 404) throw new NotFoundException('There is no such order.');
    return { id, owner: request.user.id };
  }

  @Tool({ name: 'create_order', description: 'Create an order', permission: 'allow' })
  @Post()
  create(@Body('item') item: string, @Req() request: ShopRequest) {
    return { item, owner: request.user.id };
  }
}

@Injectable()
export class ShopOffers {
  @McpResource({ uri: 'shop://terms', name: 'terms', description: 'The terms of the shop' })
  terms(): string {
    return 'No returns.';
  }

  @McpPrompt({ name: 'complain', description: 'Write a complaint' })
  complain(
    @ToolParam('about', { description: 'The reason', complete: reasonsFor }) about: string,
  ): string {
    return `Write a complaint about ${about}.`;
  }
}

function reasonsFor(value: string, ctx: { readonly principal?: string }): string[] {
  return [`late delivery to ${ctx.principal}`, 'a broken item'].filter((reason) =>
    reason.startsWith(value),
  );
}
