import {
  Body,
  Controller,
  DefaultValuePipe,
  Get,
  Headers,
  NotFoundException,
  Param,
  ParseEnumPipe,
  ParseIntPipe,
  Put,
  Query,
  UseGuards,
} from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { AddressDto } from './address.dto';
import { CurrentUser } from './current-user.decorator';

enum State {
  Open = 'open',
  Sent = 'sent',
}

// #region controller
@Controller('orders')
@UseGuards(HeaderGuard)
export class OrdersController {
  @Tool({ description: 'List the orders of the user' }) // its name is orders_list
  @Get()
  list(
    @CurrentUser() user: string,
    @Query('state', new ParseEnumPipe(State, { optional: true })) state?: State,
    @Query('limit', new DefaultValuePipe(10), ParseIntPipe)
    @ToolParam({ description: 'How many at most' })
    limit?: number,
  ) {
    return { user, state, limit };
  }

  @Tool({ name: 'get_order', description: 'Look an order up by its number' })
  @Get(':id')
  find(@CurrentUser() user: string, @Param('id', ParseIntPipe) id: number) {
    if (id !== 17) throw new NotFoundException(`There is no order ${id}.`);
    return { id, user };
  }

  @Tool({ name: 'move_order', description: 'Send an order to another address' })
  @Put(':id/address')
  move(
    @CurrentUser() user: string,
    @Param('id', ParseIntPipe) id: number,
    @Body() address: AddressDto,
    @Headers('x-reason') reason?: string,
    @Headers('idempotency-key') key?: string,
  ) {
    return { id, user, address, reason, hasKey: key !== undefined };
  }
}
// #endregion controller
