import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  Param,
  ParseIntPipe,
  Post,
  UseGuards,
} from '@nestjs/common';
import { IsInt, IsString, Length, Min } from 'class-validator';
import { Tool, ToolField } from 'nestjs-agent';
import { CurrentUser, TokenGuard, type User } from './token.guard.js';

export class NewOrder {
  @ToolField({ description: 'What to order' })
  @IsString()
  @Length(1, 40)
  article!: string;

  @ToolField({ description: 'How many' })
  @IsInt()
  @Min(1)
  quantity!: number;
}

@Controller({ path: 'orders', version: '1' })
@UseGuards(TokenGuard)
export class OrdersController {
  @Tool({ name: 'get_order', description: 'Look an order up by its number' })
  @Get(':id')
  find(@CurrentUser() user: User, @Param('id', ParseIntPipe) id: number) {
    if (user.id !== 'alice') throw new ForbiddenException();
    return { id, customer: user.id };
  }

  @Tool({ name: 'place_order', description: 'Order something' })
  @Post()
  place(@CurrentUser() user: User, @Body() order: NewOrder) {
    return { customer: user.id, placed: order instanceof NewOrder, quantity: order.quantity };
  }
}
