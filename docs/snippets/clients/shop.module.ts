import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { HeaderGuard } from '../start/header.guard';
import { OrdersController } from '../start/orders.controller';
import { OrdersService } from '../start/orders.service';

/** The shop of the other guides, with both endpoints. */
@Module({
  imports: [
    AgentModule.forRoot({ name: 'shop-agent', decorators: [UseGuards(HeaderGuard)] }),
    McpServerModule.forRoot({ decorators: [UseGuards(HeaderGuard)] }),
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class McpShopModule {}
