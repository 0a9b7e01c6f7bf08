import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { KeyGuard } from './key.guard';
import { OrdersController } from './orders.controller';

@Module({
  imports: [
    AgentModule.forRoot({
      systemPrompt: 'You help customers of the shop with their orders.',
      decorators: [UseGuards(KeyGuard)], // for the agent's own endpoints
    }),
  ],
  controllers: [OrdersController],
})
export class AppModule {}
