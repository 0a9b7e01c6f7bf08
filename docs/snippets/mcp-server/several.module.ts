import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { HeaderGuard } from '../start/header.guard';
import { OrdersService } from '../start/orders.service';
import { OrdersController } from './orders.controller';

@Module({
  imports: [
    AgentModule.forRoot({ path: false }),
    // #region several
    McpServerModule.forRoot({
      path: 'mcp/readers',
      decorators: [UseGuards(HeaderGuard)],
      tools: { include: ['list_*', 'get_*'] },
    }),
    McpServerModule.forRoot({
      path: 'mcp/desktop',
      decorators: [UseGuards(HeaderGuard)],
      approvals: { 'delete_*': 'refuse', 'cancel_*': 'client', '*': 'elicit' },
    }),
    // #endregion several
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class SeveralModule {}
