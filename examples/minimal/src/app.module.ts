import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { OrdersTools } from './orders.tools';

@Module({
  imports: [AgentModule.forRoot({ systemPrompt: 'You answer questions about orders.' })],
  providers: [OrdersTools],
})
export class AppModule {}
