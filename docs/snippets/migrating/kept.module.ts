import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { AssistantController } from './assistant.controller';
import { KeptTools } from './kept.tools';
import { OrdersService } from './orders.service';

// #region module
@Module({
  imports: [
    AgentModule.forRoot({
      systemPrompt: 'You help customers of the shop with their orders.',
      decorators: [UseGuards(HeaderGuard)],
    }),
  ],
  controllers: [AssistantController],
  providers: [OrdersService, KeptTools],
})
export class KeptModule {}
// #endregion module
