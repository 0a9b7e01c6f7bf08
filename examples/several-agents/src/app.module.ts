import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { OrdersTools } from './orders.tools';
import { StockTools } from './stock.tools';

@Module({
  imports: [
    AgentModule.forRoot({ agent: false }), // shared by all agents; no default agent
    AgentModule.forFeature({
      name: 'support', // its endpoints: /support
      systemPrompt: 'You help customers of the shop.',
      tools: { include: ['orders_*'] },
      agents: ['warehouse'], // may ask this one
    }),
    AgentModule.forFeature({
      name: 'warehouse',
      description: 'Knows what is in stock, and orders more',
      systemPrompt: 'You run the warehouse of the shop.',
      tools: { include: ['stock_*'] },
    }),
  ],
  providers: [OrdersTools, StockTools],
})
export class AppModule {}
