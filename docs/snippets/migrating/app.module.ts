import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { AssistantController } from './assistant.controller';
import { OrdersController } from './orders.controller';
import { OrdersService } from './orders.service';
import { ShippingTools } from './shipping.tools';

@Module({
  imports: [
    AgentModule.forRoot({
      systemPrompt: 'You help customers of the shop with their orders.',
      decorators: [UseGuards(HeaderGuard)],
    }),
  ],
  // #region lists
  controllers: [OrdersController, AssistantController],
  providers: [OrdersService, ShippingTools],
  // #endregion lists
})
export class AppModule {}
