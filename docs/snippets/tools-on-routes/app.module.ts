import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { EchoController } from './echo.controller';
import { InvoicesController } from './invoices.controller';
import { OrdersController } from './orders.controller';

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region forward
      forwardHeaders: ['x-tenant', /^x-feature-/],
      // #endregion forward
      // #region expose
      exposeControllers: [
        {
          controller: InvoicesController,
          tools: { findAll: { name: 'list_invoices', description: 'List the invoices of a year' } },
        },
      ],
      // #endregion expose
    }),
  ],
  controllers: [OrdersController, EchoController, InvoicesController],
})
export class AppModule {}
