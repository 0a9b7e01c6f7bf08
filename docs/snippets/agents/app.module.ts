import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { OrderTools } from './shop.tools';
import { Desk } from './desk';
import { StaffGuard } from './staff.guard';

// #region module
@Module({
  imports: [
    AgentModule.forRoot({ decorators: [UseGuards(HeaderGuard)], agents: ['support'] }),
    AgentModule.forFeature({
      name: 'support',
      description: 'Answers questions about orders and cancels them',
      decorators: [UseGuards(StaffGuard)],
      systemPrompt: 'You help the staff of a bookshop with orders.',
      tools: { include: ['orders_*'] },
    }),
  ],
  providers: [OrderTools, Desk],
})
export class AppModule {}
// #endregion module
