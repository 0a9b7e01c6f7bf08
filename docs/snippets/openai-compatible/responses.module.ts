import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { NoteTools, OrdersController } from './app.module';

@Module({
  imports: [
    AgentModule.forRoot({
      name: 'shop-agent',
      decorators: [UseGuards(HeaderGuard)],
      // #region options
      protocols: { openai: { responses: true, serverItems: 'hidden' } },
      sendReasoning: false,
      // #endregion options
    }),
  ],
  controllers: [OrdersController],
  providers: [NoteTools],
})
export class HiddenItemsModule {}
