import { Module, UseGuards } from '@nestjs/common';
import { AgentModule, offline } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { OrdersController, ShippingTools } from '../testing/app.module';

@Module({
  imports: [AgentModule.forRoot({ model: offline(), decorators: [UseGuards(HeaderGuard)] })],
  controllers: [OrdersController],
  providers: [ShippingTools],
})
export class AppModule {}
