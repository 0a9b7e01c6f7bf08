import { Module, UseGuards } from '@nestjs/common';
import { AgentModule, memoryStore } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { HeaderGuard } from '../start/header.guard';
import { OrdersService } from '../start/orders.service';
import { OrdersController } from './orders.controller';
import { Settings, SettingsModule } from './settings';

/** Stands for a PostgreSQL that the processes share. */
export const store = memoryStore();

@Module({
  imports: [
    AgentModule.forRoot({ path: false, sessions: { store } }),
    // #region fleet
    McpServerModule.forRootAsync({
      path: 'mcp', // options of the controller are set beside the factory
      imports: [SettingsModule],
      decorators: [UseGuards(HeaderGuard)],
      inject: [Settings],
      useFactory: ({ mcpSecret }: Settings) => ({
        secret: mcpSecret, // the same in each process
        listChanged: false, // serverless: no streams that stay open
      }),
    }),
    // #endregion fleet
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class FleetModule {}
