import { Module } from '@nestjs/common';
import { AgentModule, offline, openai } from 'nestjs-agent';
import { OrdersTools } from './orders.tools';

@Module({
  imports: [
    AgentModule.forRoot({
      systemPrompt: 'You help the staff of the shop with orders.',
      // What CI compares: each pull request on the first, before a change of model on the second.
      model: process.env.OPENAI_API_KEY ? openai({ model: 'gpt-4.1-mini' }) : offline(),
    }),
  ],
  providers: [OrdersTools],
})
export class AppModule {}
