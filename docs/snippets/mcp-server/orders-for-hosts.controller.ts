import {
  Controller,
  Get,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  UseGuards,
} from '@nestjs/common';
import { McpResource } from 'nestjs-agent/mcp';
import { HeaderGuard } from '../start/header.guard';

const ORDERS = new Map([[17, { id: 17, status: 'shipped' }]]);

// #region provider
@Injectable()
export class ShopResources {
  @McpResource({
    uri: 'shop://terms',
    title: 'Terms of trade',
    mimeType: 'text/markdown',
  })
  terms(): string {
    return '# Terms\n\nYou may return everything within 30 days.';
  }
}
// #endregion provider

// #region route
@Controller('orders')
@UseGuards(HeaderGuard)
export class OrdersForHostsController {
  @McpResource({ uri: 'orders://{id}', title: 'An order', description: 'One order and its status' })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number) {
    const order = ORDERS.get(id);
    if (order === undefined) throw new NotFoundException();
    return order;
  }
}
// #endregion route
