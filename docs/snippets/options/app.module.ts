import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { OrdersController } from '../start/orders.controller';
import { OrdersService } from '../start/orders.service';
import { Settings, SettingsModule } from './settings';

@Module({
  imports: [
    // #region async
    AgentModule.forRootAsync({
      path: 'assistant', // options of the controllers are set beside the factory
      imports: [SettingsModule],
      decorators: [UseGuards(HeaderGuard)],
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        systemPrompt: ({ principal }) => `You help ${principal} with orders at ${settings.shop}.`,
        maxSteps: settings.maxSteps,
      }),
    }),
    // #endregion async
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class AppModule {}
