import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { HeaderGuard } from '../start/header.guard';
import { OrdersService } from '../start/orders.service';
import { CustomerDirectory, OrderPrompts } from './order.prompts';
import { OrdersForHostsController, ShopResources } from './orders-for-hosts.controller';
import { OrdersController } from './orders.controller';

// #region server
@Module({
  imports: [
    AgentModule.forRoot({ path: false }), // MCP alone: no chat, no model
    McpServerModule.forRoot({
      name: 'shop',
      version: '1.4.0',
      decorators: [UseGuards(HeaderGuard)], // for the endpoint /mcp
    }),
  ],
  controllers: [OrdersController, OrdersForHostsController],
  providers: [OrdersService, ShopResources, OrderPrompts, CustomerDirectory],
})
export class AppModule {}
// #endregion server
