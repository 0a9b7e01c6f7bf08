import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { OrdersService } from '../start/orders.service';
import { AccountTools } from './account.tools';
import { ShopController } from './shop.controller';

@Module({
  imports: [
    // #region strict
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      defaultPermission: 'ask', // of tools without a rule
      permissions: { list_orders: 'allow', 'close_*': 'deny' },
      frontendTools: false,
      presets: { balance: { account: (ctx) => `account of ${ctx.principal}` } },
    }),
    // #endregion strict
  ],
  controllers: [ShopController],
  providers: [OrdersService, AccountTools],
})
export class StrictModule {}
