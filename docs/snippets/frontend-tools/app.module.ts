import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { OrdersController } from '../start/orders.controller';
import { OrdersService } from '../start/orders.service';

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      permissions: { 'pay_*': 'ask' },
      // #region options
      frontendTools: { timeoutMs: 30_000, maxCount: 64, maxBytes: 16_384 },
      // #endregion options
    }),
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class AppModule {}
