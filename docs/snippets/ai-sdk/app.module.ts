import { Controller, Delete, Get, Module, Param, ParseIntPipe, UseGuards } from '@nestjs/common';
import { AgentModule, offline, Tool } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

@Controller('orders')
@UseGuards(HeaderGuard)
export class OrdersController {
  readonly cancelled: number[] = [];

  @Tool({ name: 'get_order', description: 'Look an order up' })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): object {
    return { id, status: 'open' };
  }

  @Tool({ name: 'cancel_order', description: 'Cancel an order' })
  @Delete(':id')
  cancel(@Param('id', ParseIntPipe) id: number): object {
    this.cancelled.push(id);
    return { id, status: 'cancelled' };
  }
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: offline(),
      decorators: [UseGuards(HeaderGuard)],
      // #region resumable
      onDisconnect: { graceMs: 30_000 },
      // #endregion resumable
    }),
  ],
  controllers: [OrdersController],
})
export class AppModule {}
