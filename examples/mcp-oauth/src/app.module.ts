import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { ISSUER, RESOURCE } from './addresses';
import { OrdersController } from './orders.controller';
import { TokenGuard } from './token.guard';

@Module({
  imports: [
    AgentModule.forRoot({ path: false }), // MCP alone: no chat, no model
    McpServerModule.forRoot({
      name: 'shop',
      decorators: [UseGuards(TokenGuard)],
      auth: { resource: RESOURCE, authorizationServers: [ISSUER], scopes: ['orders'] },
    }),
  ],
  controllers: [OrdersController],
})
export class AppModule {}
