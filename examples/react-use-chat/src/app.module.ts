import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { OrdersTools } from './orders.tools';

@Module({
  imports: [AgentModule.forRoot({ systemPrompt: 'You help customers with their orders.' })],
  providers: [OrdersTools],
})
export class AppModule {}
