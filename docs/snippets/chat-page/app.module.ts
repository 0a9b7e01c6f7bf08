import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { OrdersController } from '../start/orders.controller';
import { OrdersService } from '../start/orders.service';
import { LoginGuard } from './login.guard';

@Module({
  imports: [
    // #region ui
    AgentModule.forRoot({
      name: 'shop assistant', // the page's heading
      decorators: [UseGuards(LoginGuard)],
      ui: { loginUrl: '/login.html', headersKey: 'shop.headers', script: '/refresh.js' },
    }),
    // #endregion ui
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class AppModule {}
