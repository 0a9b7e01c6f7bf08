import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';
import { OrdersService } from '../start/orders.service';
import { AccountTools } from './account.tools';
import { ShopController } from './shop.controller';

@Module({
  imports: [
    // #region agent
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)], // a refused caller cannot chat
      principal: (request: RequestOfUser) => request.user.id, // unique over all tenants
      presets: { balance: { account: (ctx) => `account of ${ctx.principal}` } },
    }),
    // #endregion agent
  ],
  controllers: [ShopController],
  providers: [OrdersService, AccountTools],
})
export class AppModule {}
