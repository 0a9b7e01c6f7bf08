import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from './header.guard';
import { OrdersController } from './orders.controller';
import { OrdersService } from './orders.service';

@Module({
  imports: [
    AgentModule.forRoot({
      systemPrompt: 'You help customers of the shop with their orders.',
      decorators: [UseGuards(HeaderGuard)], // for the agent's own endpoints
    }),
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class AppModule {}
